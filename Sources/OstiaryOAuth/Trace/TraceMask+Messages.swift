internal import Foundation
internal import HTTPTypes
internal import OstiaryCore

// What is shown of requests and answers.
extension TraceMask {
  /// The method and the masked target.
  mutating func title(of request: HTTPRequest) -> String {
    let target = request.path ?? "/"
    return request.method.rawValue + " " + words(path(String(target.prefix { $0 != "?" })))
  }

  mutating func details(of request: TransportRequest) -> [SessionTrace.Detail] {
    var details: [SessionTrace.Detail] = []
    let target = request.head.path ?? "/"
    if let mark = target.firstIndex(of: "?") { details += form(String(target[mark...].dropFirst())) }
    for field in request.head.headerFields { details += shown(field) }
    if let body = request.body { details += shown(body, request.head.headerFields[.contentType]) }
    return details
  }

  mutating func details(of response: HTTPResponse, body: Data?) -> [SessionTrace.Detail] {
    var details: [SessionTrace.Detail] = []
    for field in response.headerFields { details += shown(field) }
    if let body { details += shown(body, response.headerFields[.contentType]) }
    return details
  }

  /// The path of a page that a browser shows.
  mutating func title(ofPage page: URL) -> String { "page " + words(path(page.path(percentEncoded: true))) }

  mutating func details(ofPage page: URL) -> [SessionTrace.Detail] { form(page.query(percentEncoded: true) ?? "") }

  /// Where a browser was sent back to, and with what.
  mutating func details(ofCallback callback: URL) -> [SessionTrace.Detail] {
    let place = String(callback.absoluteString.prefix { $0 != "?" && $0 != "#" })
    // An answer may stand in the fragment.
    let answer = callback.query(percentEncoded: true) ?? callback.fragment(percentEncoded: true) ?? ""
    return [SessionTrace.Detail("redirect_uri", shown("redirect_uri", place))] + form(answer)
  }

  private mutating func shown(_ field: HTTPField) -> [SessionTrace.Detail] {
    let kind = field.name.canonicalName
    let value: String
    switch kind {
    case "content-type", "cache-control", "retry-after", "date": value = words(field.value)
    case "location": value = address(field.value)
    case "dpop", "dpop-nonce", "etag", "if-none-match": value = mark(field.value)
    case "authorization", "proxy-authorization":
      let parts = field.value.split(separator: " ", maxSplits: 1).map(String.init)
      if parts.count == 2, parts[0].lowercased() == "basic" { noteBasic(parts[1]) }
      value = pair(field.value, separator: " ")
    case "www-authenticate":
      return AuthenticationChallenge.salvage(field.value).map { challenge in
        let parameters = challenge.parameters.sorted { $0.key < $1.key }
        let texts = parameters.map { "\(name($0.key))=\(shown($0.key, $0.value))" }
        return SessionTrace.Detail(kind, name(challenge.scheme) + " " + texts.joined(separator: ", "))
      }
    case "cookie":
      let pairs = field.value.split(separator: ";")
      value = pairs.map { pair($0.trimmingCharacters(in: .whitespaces), separator: "=") }.joined(separator: "; ")
    case "set-cookie": value = pair(String(field.value.prefix { $0 != ";" }), separator: "=")
    default: return []
    }
    return [SessionTrace.Detail(kind, value)]
  }

  /// A name and a secret; what has no separator is all secret.
  private mutating func pair(_ text: String, separator: Character) -> String {
    let parts = text.split(separator: separator, maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return mark(text) }
    return name(parts[0]) + String(separator) + mark(parts[1])
  }

  /// A form's parameters, a JSON object's members, or how long the body is.
  private mutating func shown(_ body: Data, _ type: String?) -> [SessionTrace.Detail] {
    guard !body.isEmpty else { return [] }
    let length = SessionTrace.Detail("body", "\(body.count) bytes")
    guard body.count <= Self.largestBody else { return [length] }
    if type?.hasPrefix(FormEncoding.mediaType) == true { return form(String(decoding: body, as: UTF8.self)) }
    guard let members = JSONValue(json: body)?.object else { return [length] }
    let shown = members.sorted { $0.key < $1.key }.prefix(Self.mostDetails).map { member in
      SessionTrace.Detail(name(member.key), self.shown(member.key, member.value))
    }
    return shown
  }

  private static let largestBody = 1 << 20
}
