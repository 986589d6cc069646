@testable import OstiaryClientCommand

/// A message of a test's own.
struct TestMessage: CommandMessage {
  let line: Line
  static let examples: [TestMessage] = []
}
