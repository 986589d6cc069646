import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting

/// A call of a document, read from the server's side.
struct WireCall: Sendable {
  /// The call's name in the document: `signIn`, `renew`; of one of several steps, with its number.
  let step: String
  let index: Int
  let json: JSONValue
  /// The members that the proof adds to a body.
  var proofMembers: Set<String> = []

  /// The values that a request was made with.
  /// - Returns: `nil` where the request is none of this call's.
  func values(of request: LoopbackServer.Request) -> [String: String]? {
    guard request.method == json["method"]?.string ?? "GET", var values = pathValues(request.path),
      let queried = Self.values(json["query"], in: Self.query(request)),
      let headed = Self.values(json["headers"], in: { name in Self.field(name, of: request) }),
      let written = bodyValues(request)
    else { return nil }
    for more in [queried, headed, written] { values.merge(more) { $1 } }
    return values
  }

  /// How exactly the call says what its requests are: of two calls that a request may be of, the one that says more is meant.
  var exactness: Int {
    let objects = [json["query"], json["headers"], json["body"]?["json"], json["body"]?["form"]]
    return objects.reduce(json["path"]?.string?.contains("{") == true ? 0 : 1) { $0 + ($1?.object?.count ?? 0) }
  }

  /// The templates of its body and its Basic field, which may have the password.
  var hasPassword: Bool {
    Self.texts(json["body"] ?? .null).contains { WireTemplate($0).names.contains("password") }
      || Self.texts(json["body"]?["basic"] ?? json["basic"] ?? .null).contains {
        WireTemplate($0).names.contains("password")
      }
  }

  private static func texts(_ value: JSONValue) -> [String] {
    switch value {
    case .string(let text): [text]
    case .array(let elements): elements.flatMap(texts)
    case .object(let members): members.values.flatMap(texts)
    default: []
    }
  }

  // MARK: The places of a request

  private func pathValues(_ path: String) -> [String: String]? {
    let wanted = (json["path"]?.string ?? "/").split(separator: "/", omittingEmptySubsequences: false)
    let found = path.split(separator: "/", omittingEmptySubsequences: false)
    guard wanted.count == found.count else { return nil }
    var values: [String: String] = [:]
    for (template, segment) in zip(wanted, found) {
      guard let text = PercentEncoding.decode(String(segment)),
        let some = WireTemplate(String(template)).values(in: text)
      else { return nil }
      values.merge(some) { $1 }
    }
    return values
  }

  private func bodyValues(_ request: LoopbackServer.Request) -> [String: String]? {
    guard let body = json["body"] else { return [:] }
    var values: [String: String] = [:]
    if let basic = body["basic"] ?? json["basic"] {
      guard let some = Self.basicValues(basic, request) else { return nil }
      values.merge(some) { $1 }
    }
    if let template = body["json"] {
      guard var sent = JSONValue(json: request.body) else { return nil }
      if case .object(let members) = sent { sent = .object(members.filter { !proofMembers.contains($0.key) }) }
      guard let some = Self.values(template, in: sent) else { return nil }
      values.merge(some) { $1 }
    }
    if let form = body["form"] {
      let pairs = Dictionary(FormEncoding.parse(request.text).map { ($0.name, $0.value) }) { first, _ in first }
      guard let some = Self.values(form, in: { pairs[$0] }) else { return nil }
      values.merge(some) { $1 }
    }
    return values
  }

  /// The user name and the password of a Basic field, as a template says them.
  static func basicValues(_ basic: JSONValue, _ request: LoopbackServer.Request) -> [String: String]? {
    guard let field = request.fields[.authorization], field.hasPrefix("Basic "),
      let data = Data(base64Encoded: String(field.dropFirst(6))), let colon = data.firstIndex(of: UInt8(ascii: ":"))
    else { return nil }
    let (name, password) = (String(decoding: data[..<colon], as: UTF8.self), data[data.index(after: colon)...])
    guard let first = WireTemplate(basic["username"]?.string ?? "").values(in: name),
      let second = WireTemplate(basic["password"]?.string ?? "").values(in: String(decoding: password, as: UTF8.self))
    else { return nil }
    return first.merging(second) { $1 }
  }

  /// The values in members with names, such as fields.
  static func values(_ templates: JSONValue?, in text: (String) -> String?) -> [String: String]? {
    var values: [String: String] = [:]
    for (name, template) in templates?.object ?? [:] {
      let template = WireTemplate(template.wireText ?? "")
      guard let found = text(name) else {
        if template.isOptional { continue }
        return nil
      }
      guard let some = template.values(in: found) else { return nil }
      values.merge(some) { $1 }
    }
    return values
  }

  /// The values in a JSON value.
  static func values(_ template: JSONValue, in value: JSONValue) -> [String: String]? {
    switch (template, value) {
    case (.string(let text), _):
      guard let found = value.wireText else { return nil }
      return WireTemplate(text).values(in: found)
    case (.object(let members), .object(let found)):
      var values: [String: String] = [:]
      for (name, member) in members {
        guard let sent = found[name] else {
          if let text = member.string, WireTemplate(text).isOptional { continue }
          return nil
        }
        guard let some = Self.values(member, in: sent) else { return nil }
        values.merge(some) { $1 }
      }
      return Set(found.keys).isSubset(of: members.keys) ? values : nil
    case (.array(let elements), .array(let found)) where elements.count == found.count:
      var values: [String: String] = [:]
      for (element, sent) in zip(elements, found) {
        guard let some = Self.values(element, in: sent) else { return nil }
        values.merge(some) { $1 }
      }
      return values
    default: return template == value ? [:] : nil
    }
  }

  static func query(_ request: LoopbackServer.Request) -> (String) -> String? {
    let pairs = Dictionary(FormEncoding.parse(request.query ?? "").map { ($0.name, $0.value) }) { first, _ in first }
    return { pairs[$0] }
  }

  static func field(_ name: String, of request: LoopbackServer.Request) -> String? {
    HTTPField.Name(name).flatMap { request.fields[$0] }
  }
}
