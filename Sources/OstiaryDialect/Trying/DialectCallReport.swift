internal import OstiaryCore

/// One call of a dialect that was made, and what was read of its answer, without any value of either.
public struct DialectCallReport: Sendable {
  /// What the call was for.
  public let step: DialectStep
  /// Its place in the document, as a JSON Pointer; `nil` where the document has no such call.
  public let place: String?
  /// The method.
  public let method: String
  /// The path as the document has it, with the names of values.
  public let path: String
  /// What the request has, as the document says it: fields and members with their templates.
  public let sent: [Line]
  /// The answer's status; `nil` where there was no answer.
  public let status: Int?
  /// The answer's media type; empty where it names none.
  public let mediaType: String
  /// The answer's length, in bytes.
  public let size: Int
  /// What the document reads of the answer.
  public let reads: [DialectReadReport]
  /// The names that the answer has: places in its JSON, fields and cookies.
  public let offered: [String]
  /// What the answer means by the document, as it is called there; `nil` where nothing fits.
  public let meaning: String?
  /// Why there was no answer, or why it can't be used.
  public let problem: String?

  /// A name, and what stands for it in the document.
  public struct Line: Sendable, Hashable {
    /// The name of a field or member.
    public let name: String
    /// The template.
    public let template: String
  }
}

/// One read of a call, and whether the answer had it.
public struct DialectReadReport: Sendable, Hashable {
  /// What is read, as the document calls it: `token`, `attributes/role`.
  public let name: String
  /// The places that were looked at, in words, in their order.
  public let places: [String]
  /// The place where it was; `nil` where the answer has it nowhere.
  public let found: String?
  /// What kind of value it is, in words, such as `a text of 211 characters`.
  public let form: String?
}
