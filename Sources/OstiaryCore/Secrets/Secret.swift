/// A string that must not be seen: a password, a token, a cookie value.
///
/// It prints as `‹secret›` everywhere Swift prints values: `description`, `debugDescription`, `Mirror`, `dump`, string
/// interpolation, logs. Reading it takes the deliberate word ``reveal()``. It *is* `Codable`, because sessions rest in
/// stores; what encodes it decides where it goes.
public struct Secret: Hashable, Sendable {
  private let value: String

  /// Hides `value`.
  public init(_ value: String) {
    self.value = value
  }

  /// The hidden string. Every call is a place to look at in a review.
  public func reveal() -> String { value }

  /// Whether there is nothing to hide.
  public var isEmpty: Bool { value.isEmpty }
}

extension Secret: ExpressibleByStringLiteral {
  public init(stringLiteral value: String) {
    self.init(value)
  }
}

extension Secret: Redacted {
  public var description: String { "‹secret›" }
}

extension Secret: Codable {
  public init(from decoder: any Decoder) throws {
    value = try decoder.singleValueContainer().decode(String.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}
