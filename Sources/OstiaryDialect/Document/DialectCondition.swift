public import OstiaryCore

/// What holds of an answer.
public indirect enum DialectCondition: Sendable, Hashable {
  /// All of them hold.
  case all([DialectCondition])
  /// One of them holds.
  case any([DialectCondition])
  /// It does not hold.
  case not(DialectCondition)
  /// The status is one of a range.
  case status(ClosedRange<Int>)
  /// A field of the answer.
  case header(String, TextTest)
  /// A place in the JSON body.
  case pointer(DialectPointer, ValueTest)
  /// The first 16 KiB of the body have a text in them, in any case of ASCII letters.
  case bodyContains(String)

  /// What holds of a field.
  public enum TextTest: Sendable, Hashable {
    /// It is this text, in any case of ASCII letters.
    case equals(String)
    /// It has this text in it, in any case of ASCII letters.
    case contains(String)
    /// It is there, or isn't.
    case exists(Bool)
  }

  /// What holds of a JSON value.
  public enum ValueTest: Sendable, Hashable {
    /// It is this scalar.
    case equals(JSONValue)
    /// It is one of these scalars.
    case isOneOf([JSONValue])
    /// It is a text with this text in it, in any case of ASCII letters.
    case contains(String)
    /// It is there and not null, or isn't.
    case exists(Bool)
  }

  /// The status is this one.
  public static func status(_ status: Int) -> DialectCondition { .status(status...status) }

  /// The most levels of conditions in conditions.
  static let maximumDepth = 8

  /// Whether it looks at more than the status: at a mark that the server has put into its answer.
  package var hasMark: Bool {
    switch self {
    case .all(let conditions): conditions.contains(where: \.hasMark)
    case .any(let conditions): !conditions.isEmpty && conditions.allSatisfy(\.hasMark)
    case .not, .status: false
    case .header(_, let test): test != .exists(false)
    case .pointer(_, let test): test != .exists(false)
    case .bodyContains: true
    }
  }
}
