internal import OstiaryDialect

/// What came of a walk through a dialect's calls.
struct DialectTryReport: Sendable, Encodable {
  /// What the walk does.
  enum Name: String, Sendable, Encodable {
    case signIn, verify, request, renew, end
    case verifyRenewed = "renewed"
  }

  struct Step: Sendable, Encodable {
    let step: Name
    let passed: Bool
    /// Whether a call was made for it.
    let tried: Bool
    let outcome: String
  }

  struct Read: Sendable, Encodable {
    let name: String
    let places: [String]
    let found: String?
    let form: String?
  }

  struct Call: Sendable, Encodable {
    let step: String
    let place: String?
    let method: String
    let path: String
    let sent: [String: String]
    let status: Int?
    let mediaType: String
    let size: Int
    let reads: [Read]
    let offered: [String]
    let meaning: String?
    let problem: String?
  }

  let passed: Bool
  let steps: [Step]
  let calls: [Call]
  /// Whether the sign-in failed because the server can't be reached.
  let hasNoAnswer: Bool

  private enum CodingKeys: CodingKey { case passed, steps, calls }

  init(calls: [DialectCallReport], steps: [Step], hasNoAnswer: Bool) {
    self.steps = steps
    self.hasNoAnswer = hasNoAnswer
    passed = steps.allSatisfy(\.passed)
    self.calls = calls.map { call in
      Call(
        step: call.step.rawValue, place: call.place, method: call.method, path: call.path,
        sent: Dictionary(call.sent.map { ($0.name, $0.template) }) { first, _ in first }, status: call.status,
        mediaType: call.mediaType, size: call.size,
        reads: call.reads.map { Read(name: $0.name, places: $0.places, found: $0.found, form: $0.form) },
        offered: call.offered, meaning: call.meaning, problem: call.problem)
    }
  }
}
