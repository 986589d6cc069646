/// How large a document may be. What is beyond is refused while it is scanned, before anything is made of it.
public struct ExperienceLimits: Sendable, Hashable {
  /// The most bytes of JSON.
  public var bytes: Int
  /// How deep arrays and objects may be nested.
  public var depth: Int
  /// The most bytes that one string or number takes in the JSON.
  public var stringBytes: Int
  /// The most values: objects, arrays, strings, numbers, members' names.
  public var values: Int
  /// The most problems that are told. A document with more of them is bad enough.
  public var problems: Int

  /// Makes limits. The defaults leave room for some thousand fields.
  public init(
    bytes: Int = 1_048_576, depth: Int = 32, stringBytes: Int = 16_384, values: Int = 50_000, problems: Int = 200
  ) {
    self.bytes = bytes
    self.depth = depth
    self.stringBytes = stringBytes
    self.values = values
    self.problems = problems
  }

  /// The usual limits.
  public static let standard = ExperienceLimits()

  /// The most flows, screens in a flow, fields and actions on a screen.
  static let items = 200
}
