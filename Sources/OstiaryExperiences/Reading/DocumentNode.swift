internal import Foundation
internal import OstiaryCore

/// What is collected while one document is read.
final class DocumentLog {
  private let limit: Int
  private(set) var problems: [ExperienceProblem] = []
  private(set) var notices: [ExperienceProblem] = []

  init(limit: Int) {
    self.limit = max(1, limit)
  }

  func add(_ problem: ExperienceProblem) {
    if problems.count < limit { problems.append(problem) }
  }

  func notice(_ problem: ExperienceProblem) {
    if notices.count < limit { notices.append(problem) }
  }
}

/// A value of the document and its place.
struct DocumentNode {
  let value: JSONValue
  let path: String
  let log: DocumentLog

  func problem(_ code: ExperienceProblem.Code, _ message: String) {
    log.add(ExperienceProblem(path: path, code: code, message: message))
  }

  /// The value as a string of at most so many characters.
  func string(upTo length: Int = 4_096) -> String? {
    guard let text = value.string else {
      problem(.wrongType, "A string belongs here.")
      return nil
    }
    guard text.unicodeScalars.prefix(length + 1).count <= length else {
      problem(.tooLarge, "The text has more than \(length) characters.")
      return nil
    }
    return text
  }

  /// The value as a name: a letter or underscore, then letters, digits and `_.-`, 64 characters at most.
  func name() -> String? {
    guard let text = string() else { return nil }
    guard Self.isName(text) else {
      problem(
        .badValue, "A name begins with a letter or underscore, goes on with letters, digits and _.-, and has up to 64.")
      return nil
    }
    return text
  }

  static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, (first | 0x20) &- 97 < 26 || first == UInt8(ascii: "_") else { return false }
    return text.utf8.count <= 64
      && text.utf8.allSatisfy {
        ($0 | 0x20) &- 97 < 26 || $0 &- 48 < 10 || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".")
          || $0 == UInt8(ascii: "-")
      }
  }

  /// The value as one of the cases.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(_ type: Choice.Type) -> Choice? {
    guard let text = string() else { return nil }
    guard let choice = Choice(rawValue: text) else {
      problem(.badValue, "One of \(Choice.allCases.map(\.rawValue).joined(separator: ", ")) belongs here.")
      return nil
    }
    return choice
  }

  func bool() -> Bool? {
    guard let value = value.bool else {
      problem(.wrongType, "true or false belongs here.")
      return nil
    }
    return value
  }

  func whole(in range: ClosedRange<Int>) -> Int? {
    guard case .integer(let number) = value else {
      problem(.wrongType, "A whole number belongs here.")
      return nil
    }
    guard let whole = Int(exactly: number), range.contains(whole) else {
      problem(.badValue, "A number from \(range.lowerBound) to \(range.upperBound) belongs here.")
      return nil
    }
    return whole
  }

  func elements(atLeast least: Int = 0, atMost most: Int = ExperienceLimits.items) -> [DocumentNode]? {
    guard let values = value.array else {
      problem(.wrongType, "An array belongs here.")
      return nil
    }
    guard values.count >= least else {
      problem(.badValue, "At least \(least) of these belong here.")
      return nil
    }
    guard values.count <= most else {
      problem(.tooLarge, "There are \(values.count) of these; \(most) are allowed.")
      return nil
    }
    return values.enumerated().map { DocumentNode(value: $1, path: "\(path)[\($0)]", log: log) }
  }

  /// The value as an object with these members; others are noticed.
  func object(_ members: Set<String>) -> DocumentObject? {
    guard let values = value.object else {
      problem(.wrongType, "An object belongs here.")
      return nil
    }
    for name in values.keys.sorted() where !members.contains(name) {
      log.notice(
        ExperienceProblem(
          path: member(name, .null).path, code: .unknownMember, message: "This member is not known; it is passed over.")
      )
    }
    return DocumentObject(node: self, values: values)
  }

  /// The members of an object whose names are free, in the order of their names.
  func entries(atMost most: Int) -> [(name: String, node: DocumentNode)]? {
    guard let values = value.object else {
      problem(.wrongType, "An object belongs here.")
      return nil
    }
    guard values.count <= most else {
      problem(.tooLarge, "There are \(values.count) of these; \(most) are allowed.")
      return nil
    }
    return values.sorted { $0.key < $1.key }.map { ($0.key, member($0.key, $0.value)) }
  }

  func member(_ name: String, _ value: JSONValue) -> DocumentNode {
    let isPlain =
      !name.isEmpty && name.utf8.count <= 64
      && name.utf8.allSatisfy { ($0 | 0x20) &- 97 < 26 || $0 == UInt8(ascii: "_") || $0 &- 48 < 10 }
      && name.utf8.first.map { $0 &- 48 >= 10 } ?? false
    if isPlain { return DocumentNode(value: value, path: "\(path).\(name)", log: log) }
    var quoted = ""
    for scalar in name.unicodeScalars.prefix(64) {
      switch scalar {
      case "'", "\\": quoted += "\\\(scalar)"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let code = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - code.count) + code
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return DocumentNode(value: value, path: "\(path)['\(quoted)']", log: log)
  }
}

/// An object of the document.
struct DocumentObject {
  let node: DocumentNode
  let values: [String: JSONValue]

  /// A member that is there and is not null.
  func member(_ name: String) -> DocumentNode? {
    guard let value = values[name], value != .null else { return nil }
    return node.member(name, value)
  }

  /// A member that has to be there.
  func required(_ name: String) -> DocumentNode? {
    guard let member = member(name) else {
      node.member(name, .null).problem(.missing, "This member is missing.")
      return nil
    }
    return member
  }

  func flag(_ name: String, default value: Bool = false) -> Bool {
    member(name).map { $0.bool() ?? value } ?? value
  }

  func text(_ name: String) -> Experience.Text? {
    member(name)?.text()
  }
}
