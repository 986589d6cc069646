internal import OstiaryClientCommand

/// What `ostiary demo` says besides the steps of its chapters.
enum DemoMessage: CommandMessage {
  case begin
  case allAsExpected(steps: Int, time: String)
  case notAsExpected(step: Int)
  /// - what: The expectation of a step.
  case expected(String)
  case expectedToWork(instead: String)
  case noFreePort

  var line: Line {
    switch self {
    case .begin: "A real server and a real client, both on this machine and gone afterwards."
    case .allAsExpected(let steps, let time):
      "\("✓", .green) All \(steps) steps went as expected, in \(time)."
    case .notAsExpected(let step): "\("✗", .failure) Step \(step) did not go as expected."
    case .expected(let what): "Expected \(what)."
    case .expectedToWork(let words): "Expected it to work; instead: \(words)"
    case .noFreePort: "This machine has no free port."
    }
  }

  var advice: String {
    switch self {
    case .noFreePort: "End another program, then run the command again."
    default: ""
    }
  }

  static let examples: [DemoMessage] = [
    .begin, .allAsExpected(steps: 37, time: "2.4 s"), .notAsExpected(step: 5), .expected("a session to drop"),
    .expectedToWork(instead: "The connection was lost."), .noFreePort,
  ]
}

/// The chapter of `ostiary demo` that starts the server.
enum DemoOpening: CommandMessage {
  case title
  case started
  case addedUser(String)

  var line: Line {
    switch self {
    case .title: "A server"
    case .started: "Started, in memory, with cheap password hashing for speed, and with sign-up switched on"
    case .addedUser(let name): "Added the user \(name) with a random password"
    }
  }

  static let isSentences = false
  static let examples: [DemoOpening] = [.title, .started, .addedUser("alice")]
}

/// What a step of any chapter expects, as it follows “expected”.
enum DemoExpectation: CommandMessage {
  case door(String)
  case url(String)
  case status(String, not: String)
  case code(String, not: String)
  case transientError(not: String)
  case failureWithoutNetwork
  case sessionToDrop
  case sameSession

  var line: Line {
    switch self {
    case .door(let name): "the server to have the door “\(name)”"
    case .url(let text): "“\(text)” to be a URL"
    case .status(let expected, let status): "\(expected), not \(status)"
    case .code(let expected, let code): "“\(expected)”, not “\(code)”"
    case .transientError(let code): "an error that may pass, not “\(code)”"
    case .failureWithoutNetwork: "the call to fail without a network"
    case .sessionToDrop: "a session to drop"
    case .sameSession: "the same session"
    }
  }

  static let isSentences = false
  static let examples: [DemoExpectation] = [
    .door("pega"), .url("http://"), .status("200", not: "401 Unauthorized"),
    .code("invalid_credentials", not: "timed_out"), .transientError(not: "signed_out"), .failureWithoutNetwork,
    .sessionToDrop, .sameSession,
  ]
}
