/// A text that the command shows a person. Every such text is a case of a type of its topic in this folder, so that a test can read
/// all of them, and so that no other place needs words of its own.
package protocol CommandMessage: Sendable {
  /// What is said: what happened, or what is asked.
  var line: Line { get }
  /// What to type or do next; empty if there is nothing.
  var advice: String { get }
  /// At least one example of each case, with values as a server or a person would give them.
  static var examples: [Self] { get }
}

extension CommandMessage {
  package var advice: String { "" }
}
