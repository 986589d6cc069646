import OstiaryCore

/// The checks of `/readyz`.
enum ReadinessPart: String, MetricLabel {
  /// The server has its doors open, and does not stop.
  case serving
  case database
  /// What the database has confirmed is kept.
  case durability
  case migrations
  case key
  case clock
  case disk
  case doors
  case mail
}

/// The result of a check.
enum ReadinessState: Hashable, Sendable {
  case good
  /// Requests are answered, and a part needs attention.
  case degraded(cause: String)
  /// Requests would fail.
  case failed(cause: String)

  var word: String {
    switch self {
    case .good: "ok"
    case .degraded: "degraded"
    case .failed: "failed"
    }
  }

  var cause: String? {
    switch self {
    case .good: nil
    case .degraded(let cause), .failed(let cause): cause
    }
  }
}

/// Whether the server can answer requests now, and what says so.
struct ReadinessReport: Sendable {
  let parts: [(part: ReadinessPart, state: ReadinessState)]

  var isReady: Bool {
    parts.allSatisfy { if case .failed = $0.state { false } else { true } }
  }

  /// Whether a part has not failed.
  func passes(_ part: ReadinessPart) -> Bool {
    parts.allSatisfy { if case .failed = $0.state { $0.part != part } else { true } }
  }

  /// For a person: the answer, and a line for each part.
  var text: String {
    let lines = parts.map { part, state in
      "\(part.rawValue): \(state.word)" + (state.cause.map { ": " + $0 } ?? "")
    }
    return ([isReady ? "ready" : "unavailable"] + lines).map { $0 + "\n" }.joined()
  }

  var json: JSONValue {
    let members = parts.map { part, state -> (String, JSONValue) in
      var members: [String: JSONValue] = ["state": .string(state.word)]
      members["cause"] = state.cause.map(JSONValue.string)
      return (part.rawValue, .object(members))
    }
    return .object([
      "ready": .bool(isReady), "checks": .object(Dictionary(members) { first, _ in first }),
    ])
  }
}

/// Runs the checks, side by side. A check that takes too long has failed.
struct Readiness: Sendable {
  typealias Check = @Sendable () async -> ReadinessState

  private static let longest = Duration.seconds(2)

  private let checks: [(part: ReadinessPart, check: PatientCheck)]

  init(_ checks: [(ReadinessPart, Check)]) {
    self.checks = checks.map { ($0, PatientCheck($1)) }
  }

  func report() async -> ReadinessReport {
    let states = await withTaskGroup(of: (Int, ReadinessState).self) { group in
      for (index, (_, check)) in checks.enumerated() {
        group.addTask { (index, await check.state(within: Self.longest)) }
      }
      return await group.reduce(into: [Int: ReadinessState]()) { $0[$1.0] = $1.1 }
    }
    return ReadinessReport(
      parts: checks.enumerated().map { index, check in
        (check.part, states[index] ?? .failed(cause: "It was not checked."))
      })
  }
}
