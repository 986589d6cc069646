public import OstiaryCore

/// A terminal, or what stands in for one: lines out, lines in.
public protocol ExperienceTerminal: Sendable {
  /// Shows lines. They hold no control characters but line feeds, and end with one.
  func show(_ text: String) async throws

  /// Asks for a line.
  /// - Returns: What was entered, without its end; `nil` at the end of input.
  func ask(_ prompt: TerminalPrompt) async throws -> Secret?
}

/// A question for one line.
public struct TerminalPrompt: Sendable, Hashable {
  /// What to show before the cursor.
  public var text: String
  /// Whether what is typed must not be shown.
  public var isSecret: Bool
  /// The field that is asked for; `nil` for an action.
  public var field: String?

  /// Makes a prompt.
  public init(text: String, isSecret: Bool = false, field: String? = nil) {
    self.text = text
    self.isSecret = isSecret
    self.field = field
  }
}
