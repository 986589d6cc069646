public import Foundation
internal import OstiaryCore

extension Experience {
  /// Reads a document.
  ///
  /// It takes time and memory in proportion to the document, and neither for one beyond the limits. A document that leaves a
  /// person no way out of a screen is read: the runner draws one. ``check(json:limits:)`` refuses it.
  /// - Throws: ``InvalidExperience`` with every problem and its place.
  public init(json: Data, limits: ExperienceLimits = .standard) throws {
    let report = Self.check(json: json, limits: limits, explores: false)
    guard let experience = report.experience else { throw InvalidExperience(report.problems) }
    self = experience
  }

  /// What a check of a document finds.
  public struct Report: Sendable {
    /// The experience, if there is no problem.
    public var experience: Experience?
    /// Why the document is refused.
    public var problems: [ExperienceProblem]
    /// What is passed over, such as members that this version does not know: perhaps slips.
    public var notices: [ExperienceProblem]
  }

  /// Reads a document and tells everything that is wrong or odd in it.
  ///
  /// It also follows every action from every screen, since apps open screens by name, and finds those from which a person
  /// can come to no end of the experience (``ExperienceProblem/Code/deadEnd``) or that nothing leads to
  /// (``ExperienceProblem/Code/unreachable``, a notice).
  public static func check(json: Data, limits: ExperienceLimits = .standard) -> Report {
    check(json: json, limits: limits, explores: true)
  }

  private static func check(json: Data, limits: ExperienceLimits, explores: Bool) -> Report {
    if let problem = DocumentScan.problem(in: json, limits: limits) {
      return Report(experience: nil, problems: [problem], notices: [])
    }
    guard let value = JSONValue(json: json) else {
      let problem = ExperienceProblem(path: "$", code: .malformed, message: "This is no JSON text (RFC 8259).")
      return Report(experience: nil, problems: [problem], notices: [])
    }
    return check(value, limits: limits, explores: explores)
  }

  private static func check(_ value: JSONValue, limits: ExperienceLimits, explores: Bool) -> Report {
    let log = DocumentLog(limit: limits.problems)
    let experience = DocumentNode(value: value, path: "$", log: log).experience()
    // With parts left out, places and references would be told wrongly.
    if let experience, log.problems.isEmpty { DocumentReferences(experience, log).check() }
    if let experience, explores, log.problems.isEmpty { DocumentExplorer(experience, log).check() }
    return Report(
      experience: log.problems.isEmpty ? experience : nil, problems: log.problems, notices: log.notices)
  }

  /// Checks an experience that was made in code, as a document is checked.
  /// - Throws: ``InvalidExperience`` with every problem and its place.
  public func validate(limits: ExperienceLimits = .standard) throws {
    let report = Self.check(json: try json(), limits: limits)
    if report.experience == nil { throw InvalidExperience(report.problems) }
  }
}

extension Experience: Codable {
  /// Reads a document that is part of another. The other's decoder has read it already, so only ``ExperienceLimits/problems``
  /// counts of the limits; for text from elsewhere use ``init(json:limits:)``.
  public init(from decoder: any Decoder) throws {
    let report = Self.check(try JSONValue(from: decoder), limits: .standard, explores: false)
    guard let experience = report.experience else { throw InvalidExperience(report.problems) }
    self = experience
  }

  public func encode(to encoder: any Encoder) throws {
    try document.encode(to: encoder)
  }
}

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
