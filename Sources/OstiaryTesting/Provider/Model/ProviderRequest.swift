internal import Foundation
internal import HTTPTypes
internal import OstiaryCore

/// A request as a provider reads it.
struct ProviderRequest: Sendable {
  let method: String
  /// Without query.
  let address: String
  let query: ProviderForm
  /// The body as a form.
  let form: ProviderForm
  /// The body as a JSON object.
  let json: [String: JSONValue]?
  let fields: HTTPFields

  init(_ request: TransportRequest) {
    method = request.head.method.rawValue
    let path = request.head.path ?? "/"
    let mark = path.firstIndex(of: "?") ?? path.endIndex
    let origin = Origin(request.head)?.description ?? ""
    address = origin + path[..<mark]
    query = ProviderForm(String(path[mark...].dropFirst()))
    let body = request.body ?? Data()
    let isForm = request.head.headerFields[.contentType]?.hasPrefix(FormEncoding.mediaType) == true
    form = ProviderForm(isForm ? String(decoding: body, as: UTF8.self) : "")
    json = JSONValue(json: body)?.object
    fields = request.head.headerFields
  }

  /// A visit to a page.
  init(visiting page: URL) {
    method = "GET"
    let text = page.absoluteString
    let mark = text.firstIndex(of: "?") ?? text.endIndex
    address = String(text[..<mark])
    query = ProviderForm(String(text[mark...].dropFirst().prefix { $0 != "#" }))
    form = ProviderForm("")
    json = nil
    fields = [:]
  }

  /// What the `Authorization` field presents under a scheme.
  func authorization(_ scheme: String) -> String? {
    guard let field = fields[.authorization], let space = field.firstIndex(of: " "),
      field[..<space].lowercased() == scheme
    else { return nil }
    return String(field[space...].dropFirst())
  }
}

/// The parameters of a form or a query.
struct ProviderForm: Sendable {
  let pairs: [(name: String, value: String)]

  init(_ text: String) { pairs = FormEncoding.parse(text) }

  init(_ pairs: [(name: String, value: String)]) { self.pairs = pairs }

  /// The value of a name; `nil` where it is absent or empty (RFC 6749 §3.1).
  subscript(name: String) -> String? {
    pairs.first { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
  }

  /// All values of a name.
  func all(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }

  /// A name that is there twice though it must not be (RFC 6749 §3.1): only resources and audiences may (RFC 8707 §2,
  /// RFC 8693 §2.1).
  var repeated: String? {
    var seen: Set<String> = []
    return pairs.first { !["resource", "audience"].contains($0.name) && !seen.insert($0.name).inserted }?.name
  }
}

/// What a provider does with a request.
enum ProviderAction: Sendable {
  /// It answers.
  case answer(TransportResponse)
  /// It has acted, and its answer is lost.
  case loseAnswer
  /// It has acted, and answers so much later.
  case answerLate(TransportResponse, Duration)
}
