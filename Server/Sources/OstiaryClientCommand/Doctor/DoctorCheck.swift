/// What `ostiary doctor` looks at, in the order in which it tells.
enum DoctorCheck: String, Sendable, CaseIterable, Encodable {
  case profile
  case store
  case clock
  case dns
  case tls
  case proxy
  case gateway
  case server
  case session

  /// The checks without whose success this one can tell nothing.
  var needs: [DoctorCheck] {
    switch self {
    case .profile, .store, .proxy: []
    case .dns: [.profile]
    case .tls: [.dns]
    case .gateway: [.tls]
    case .server: [.gateway]
    case .clock: [.tls]
    case .session: [.profile, .store]
    }
  }

  /// The order in which they are made: each after those that it needs, and the clock after an answer of the server.
  static let inOrderOfWork: [DoctorCheck] = [
    .profile, .store, .proxy, .dns, .tls, .gateway, .server, .clock, .session,
  ]

  /// What it is called in a sentence.
  var words: String {
    switch self {
    case .dns: "DNS"
    case .tls: "TLS"
    default: rawValue
    }
  }

  /// The same with its article.
  var article: String { [.dns, .tls].contains(self) ? words : "the \(words)" }
}

/// What a check of `ostiary doctor` found.
struct DoctorFinding: Sendable, Equatable {
  /// How it is with what was looked at.
  enum State: String, Sendable, Encodable {
    case good = "ok"
    /// It works, and should be looked at.
    case warning
    case failed
    /// It was not looked at: there is nothing to look at, or another check has failed.
    case skipped
  }

  let check: DoctorCheck
  let state: State
  let message: DoctorMessage
  /// The command's exit status because of it; `nil` unless it failed.
  var status: ExitStatus?
  /// Whether checks that need this one can't be made.
  var blocks: Bool

  static func good(_ check: DoctorCheck, _ message: DoctorMessage) -> DoctorFinding {
    DoctorFinding(check: check, state: .good, message: message, blocks: false)
  }

  static func warning(_ check: DoctorCheck, _ message: DoctorMessage, blocks: Bool = false) -> DoctorFinding {
    DoctorFinding(check: check, state: .warning, message: message, blocks: blocks)
  }

  static func failed(_ check: DoctorCheck, _ message: DoctorMessage, _ status: ExitStatus) -> DoctorFinding {
    DoctorFinding(check: check, state: .failed, message: message, status: status, blocks: true)
  }

  /// There is nothing to look at, and nothing wrong with that.
  static func notNeeded(_ check: DoctorCheck, _ message: DoctorMessage) -> DoctorFinding {
    DoctorFinding(check: check, state: .skipped, message: message, blocks: false)
  }

  /// Another check stands in the way.
  static func skipped(_ check: DoctorCheck, because other: DoctorReason) -> DoctorFinding {
    DoctorFinding(check: check, state: .skipped, message: .skipped(because: other), blocks: true)
  }
}
