internal import Foundation
internal import HTTPTypes
internal import OstiaryCore

/// A response for people and programs. The values of cookies, which are proof, are left out.
struct ResponseReport: Sendable, Encodable {
  struct Field: Sendable, Encodable {
    let name: String
    let value: String
  }

  let status: Int
  let url: String?
  let fields: [Field]
  /// The body, if it is UTF-8.
  let body: String?
  /// The body, if it isn't.
  let bodyBase64: String?
  /// The file to which the body was written.
  let file: String?

  init(_ response: StreamingResponse, body: Data?, file: String?) {
    status = response.head.status.code
    url = response.url?.absoluteString
    fields = Self.fields(response.head)
    let text = body.flatMap { String(validating: $0, as: UTF8.self) }
    self.body = text
    bodyBase64 = text == nil ? body?.base64EncodedString() : nil
    self.file = file
  }

  /// The head as `-i` prints it.
  static func head(_ head: HTTPResponse) -> [Line] {
    let style: Line.Style = head.status.code < 400 ? .green : .red
    return ["\("HTTP \(head.status)", style)"]
      + fields(head).map { ("\($0.name, .bold): \($0.value)" as Line).unbroken } + [""]
  }

  private static func fields(_ head: HTTPResponse) -> [Field] {
    head.headerFields.map { field in
      let hides = field.name == .setCookie
      return Field(name: field.name.rawName, value: hides ? withoutValue(cookie: field.value) : field.value)
    }
  }

  /// `name=value; Path=/` as `name=‹secret›; Path=/`.
  private static func withoutValue(cookie: String) -> String {
    let pair = cookie.prefix { $0 != ";" }
    let name = pair.contains("=") ? pair.prefix { $0 != "=" } : ""
    return "\(name)=\(Secret(""))\(cookie.dropFirst(pair.count))"
  }
}
