/// Why a value is not accepted: a stable code, and the numbers that its text speaks of.
public struct FieldIssue: Sendable, Hashable, Codable {
  /// Which rule is broken.
  public var code: Code
  /// The limit that the rule names, if it names one: a length, a bound.
  public var limit: String?

  /// Makes an issue.
  public init(_ code: Code, limit: String? = nil) {
    self.code = code
    self.limit = limit
  }

  /// A rule's name. An open set; these never change their meaning.
  public struct Code: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }

    /// Nothing was filled in.
    public static let required = Self(rawValue: "required")
    /// A toggle that must be on is off.
    public static let mustBeOn = Self(rawValue: "must_be_on")
    /// Fewer characters than ``FieldIssue/limit``.
    public static let tooShort = Self(rawValue: "too_short")
    /// More characters than ``FieldIssue/limit``.
    public static let tooLong = Self(rawValue: "too_long")
    /// Not in the wanted form.
    public static let pattern = Self(rawValue: "pattern")
    /// No e-mail address.
    public static let email = Self(rawValue: "email")
    /// No telephone number.
    public static let phone = Self(rawValue: "phone")
    /// No number.
    public static let number = Self(rawValue: "number")
    /// A number that can be read in two ways, such as `1,234`. The limit is the number without its sign, as an example.
    public static let ambiguousNumber = Self(rawValue: "ambiguous_number")
    /// No day.
    public static let date = Self(rawValue: "date")
    /// None of the options.
    public static let choice = Self(rawValue: "choice")
    /// Less, or earlier, than ``FieldIssue/limit``.
    public static let tooSmall = Self(rawValue: "too_small")
    /// More, or later, than ``FieldIssue/limit``.
    public static let tooLarge = Self(rawValue: "too_large")
    /// Not the same as the field that it repeats.
    public static let mismatch = Self(rawValue: "mismatch")
    /// Refused by the app.
    public static let invalid = Self(rawValue: "invalid")

    /// Every code that this version makes.
    public static let all: [Self] = [
      .required, .mustBeOn, .tooShort, .tooLong, .pattern, .email, .phone, .number, .ambiguousNumber, .date,
      .choice, .tooSmall, .tooLarge, .mismatch, .invalid,
    ]
  }
}
