public import OstiaryCore

/// A terminal, or what stands in for one: lines out, lines in.
public protocol ExperienceTerminal: Sendable {
  /// What lines have to fit into, now. By default there is no limit.
  var layout: TerminalLayout { get }

  /// Shows lines. They hold no control characters but line feeds, and end with one.
  func show(_ text: String) async throws

  /// Asks for a line.
  /// - Returns: What was entered, without its end; `nil` at the end of input.
  func ask(_ prompt: TerminalPrompt) async throws -> Secret?
}

extension ExperienceTerminal {
  /// No limit.
  public var layout: TerminalLayout { TerminalLayout() }
}

/// What the lines of a terminal have to fit into.
public struct TerminalLayout: Sendable, Hashable {
  /// How many columns a line may have; `nil` for no limit, as in a pipe.
  public var columns: Int?
  /// Whether a part of a line that is written in the other direction stands between U+2068 and U+2069, as Unicode's
  /// rules for two directions need it (UAX #9). Only a terminal whose characters are those of UTF-8 knows these.
  public var isolatesDirections: Bool

  /// Makes a layout.
  public init(columns: Int? = nil, isolatesDirections: Bool = false) {
    self.columns = columns
    self.isolatesDirections = isolatesDirections
  }
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
