import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting

/// The proof of a document, read from the server's side.
struct WireProof: Sendable {
  let json: JSONValue

  /// What a request shows.
  struct Shown: Sendable, Equatable {
    /// The token, or the value of the session's cookie.
    var token: String
    /// The value against forged requests; `nil` where the request has none.
    var csrf: String?
  }

  /// What a request shows; `nil` for none, and where fields that stand beside the proof are not there.
  func shown(by request: LoopbackServer.Request) -> Shown? {
    if let beside = json["headers"], json.object?.keys.contains(where: Self.others.contains) == true,
      WireCall.values(beside, in: { WireCall.field($0, of: request) }) == nil
    {
      return nil
    }
    if let basic = json["basic"] { return token(WireCall.basicValues(basic, request)) }
    if let cookie = json["cookie"], let name = cookie["name"]?.string, let template = cookie["value"]?.string {
      return token(Self.cookies(of: request)[name].flatMap { WireTemplate(template).values(in: $0) })
    }
    if json["cookies"] != nil {
      guard let name = cookieName, let value = Self.cookies(of: request)[name] else { return nil }
      let field = json["csrf"]?["header"]?.string.flatMap { WireCall.field($0, of: request) }
      return Shown(token: value, csrf: field)
    }
    if let query = json["insecureQuery"] { return token(WireCall.values(query, in: WireCall.query(request))) }
    if let headers = json["headers"] {
      return token(WireCall.values(headers) { WireCall.field($0, of: request) })
    }
    if let body = json["body"] {
      let members = JSONValue(json: request.body)?.object
      let pairs = Dictionary(FormEncoding.parse(request.text).map { ($0.name, $0.value) }) { first, _ in first }
      return token(WireCall.values(body) { name in members?[name]?.string ?? pairs[name] })
    }
    return nil
  }

  /// Ways beside which fields may stand.
  private static let others: Set<String> = ["basic", "cookie", "cookies"]

  private func token(_ values: [String: String]?) -> Shown? { values?["token"].map { Shown(token: $0) } }

  /// The name of a cookie that carries the session, where cookies do.
  var cookieName: String? {
    let names = (json["cookies"]?.array ?? []).compactMap(\.string)
    return names.first { !$0.contains("*") } ?? names.first.map { $0.replacing("*", with: "session") }
  }

  /// The cookie that a value against forged requests is in, where one is.
  var csrfCookie: String? { json["csrf"]?["cookie"]?.string }

  /// Whether the proof stands in a request's body.
  var isInBody: Bool { json["body"] != nil }

  /// The path that the app's requests lie below.
  var path: String { json["below"]?.string ?? "" }

  /// The cookies of a request.
  static func cookies(of request: LoopbackServer.Request) -> [String: String] {
    let pairs = request.fields[values: .cookie].joined(separator: "; ").split(separator: ";").compactMap {
      pair -> (String, String)? in
      let text = pair.trimmingCharacters(in: .whitespaces)
      guard let equals = text.firstIndex(of: "=") else { return nil }
      return (String(text[..<equals]), String(text[text.index(after: equals)...]))
    }
    return Dictionary(pairs) { first, _ in first }
  }
}
