internal import Foundation
internal import HTTPTypes
internal import OstiaryCore

/// What an answer has for a document to read: names, and no value.
enum DialectOffer {
  /// How many names are shown of an answer.
  private static let limit = 40

  /// The places of the JSON that have a value, the fields that are not of every answer, and the cookies.
  static func names(in response: TransportResponse) -> [String] {
    var names: [String] = []
    if response.body.count <= DialectAnswer.maximumSize, let json = JSONValue(json: response.body) {
      collect(json, [], into: &names)
    }
    for field in response.head.headerFields where !ofEveryAnswer.contains(field.name.canonicalName) {
      if field.name == .setCookie {
        let name = String(field.value.prefix { $0 != "=" && $0 != ";" }).trimmingCharacters(in: .whitespaces)
        if isName(name) { names.append("cookie \(name)") }
      } else {
        names.append("field \(field.name.rawName)")
      }
    }
    return Array(names.prefix(limit))
  }

  private static let ofEveryAnswer: Set<String> = [
    "content-type", "content-length", "date", "server", "connection", "vary", "cache-control", "transfer-encoding",
    "keep-alive", "allow", "x-frame-options", "x-content-type-options", "referrer-policy", "pragma", "expires",
    "cross-origin-opener-policy", "strict-transport-security", "etag", "x-powered-by", "content-language",
  ]

  private static func collect(_ value: JSONValue, _ path: [String], into names: inout [String]) {
    guard names.count < limit, path.count < 16 else { return }
    switch value {
    case .object(let members):
      // The name of a member can itself be a value, as in a table of users.
      for name in members.keys.sorted() where isName(name) {
        collect(members[name] ?? .null, path + [name], into: &names)
      }
    case .array(let elements):
      if let first = elements.first { collect(first, path + ["0"], into: &names) }
    case .null: break
    case .bool, .integer, .number, .string: names.append(DialectPointer(parts: path).text)
    }
  }

  private static func isName(_ text: String) -> Bool {
    (1...48).contains(text.utf8.count) && !TokenLikeness.isToken(text, named: "") && !text.contains("@")
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}

/// What a request has, as the document says it.
enum DialectSentParts {
  static func lines(of call: DialectCall) -> [DialectCallReport.Line] {
    var lines: [DialectCallReport.Line] = []
    for item in call.query { lines.append(.init(name: "?\(item.name)", template: item.value.text)) }
    for field in call.headers { lines.append(.init(name: field.name, template: field.value.text)) }
    if let basic = call.basic {
      lines.append(.init(name: "Authorization", template: "Basic \(basic.username):\(basic.password)"))
    }
    switch call.body {
    case .json(let json)?: collect(json, [], into: &lines)
    case .form(let fields)?: for field in fields { lines.append(.init(name: field.name, template: field.value.text)) }
    case nil: break
    }
    return lines
  }

  private static func collect(_ json: DialectJSON, _ path: [String], into lines: inout [DialectCallReport.Line]) {
    let name = DialectPointer(parts: path).text
    switch json {
    case .object(let members): for member in members { collect(member.value, path + [member.name], into: &lines) }
    case .array(let elements):
      for (index, element) in elements.enumerated() { collect(element, path + ["\(index)"], into: &lines) }
    case .text(let template): lines.append(.init(name: name, template: template.text))
    case .bool(let value): lines.append(.init(name: name, template: "\(value)"))
    case .integer(let value): lines.append(.init(name: name, template: "\(value)"))
    case .number(let value): lines.append(.init(name: name, template: "\(value)"))
    case .null: lines.append(.init(name: name, template: "null"))
    }
  }
}
