public import Foundation

/// One thing that is wrong in a document, and where.
public struct ExperienceProblem: Sendable, Hashable, Codable, CustomStringConvertible {
  /// Where, as a JSONPath (RFC 9535): `$.flows[0].screens[2].fields[1].key`.
  public var path: String
  /// Which rule is broken: `missing`, `wrong_type`, `unknown_reference` and so on. These never change their meaning.
  public var code: Code
  /// One sentence for a person: what is wrong and what would be right.
  public var message: String

  /// Makes a problem.
  public init(path: String, code: Code, message: String) {
    self.path = path
    self.code = code
    self.message = message
  }

  public var description: String { "\(path): \(message)" }

  /// Which rule a document breaks. An open set.
  public struct Code: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }

    /// No JSON.
    public static let malformed = Self(rawValue: "malformed")
    /// Beyond one of the ``ExperienceLimits``.
    public static let tooLarge = Self(rawValue: "too_large")
    /// A format that this version does not read.
    public static let unsupportedFormat = Self(rawValue: "unsupported_format")
    /// A member that must be there is not.
    public static let missing = Self(rawValue: "missing")
    /// A value of another type than the member has.
    public static let wrongType = Self(rawValue: "wrong_type")
    /// A value that the member can't have.
    public static let badValue = Self(rawValue: "bad_value")
    /// A name that something else has already.
    public static let duplicate = Self(rawValue: "duplicate")
    /// A name of something that is not there.
    public static let unknownReference = Self(rawValue: "unknown_reference")
    /// Members that contradict each other.
    public static let contradiction = Self(rawValue: "contradiction")
    /// A screen that a person can't leave, or a required one that is never complete. A client that meets such a document
    /// draws a way out; only a check refuses it.
    public static let deadEnd = Self(rawValue: "dead_end")
    /// A screen that nothing leads to. Only a check tells of it.
    public static let unreachable = Self(rawValue: "unreachable")
    /// A member that this version does not know. It is passed over; only a check tells of it.
    public static let unknownMember = Self(rawValue: "unknown_member")
  }
}

/// A document is refused, for every reason at once.
public struct InvalidExperience: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
  /// What is wrong, in the order of the document.
  public var problems: [ExperienceProblem]

  /// Makes the error.
  public init(_ problems: [ExperienceProblem]) {
    self.problems = problems
  }

  public var description: String {
    "The experience can't be used: " + problems.map(\.description).joined(separator: " ")
  }

  public var errorDescription: String? { description }
}
