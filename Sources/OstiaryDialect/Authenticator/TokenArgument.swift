internal import Foundation
internal import HTTPTypes
package import OstiaryCore

/// A session's token where a server looks for it in the body of a request: a member of the JSON object, or a field of the form.
///
/// Requests that have neither a JSON object nor a form in them go on without the token.
package struct TokenArgument: Sendable {
  /// The member's or field's name.
  package let name: String
  /// The token.
  package let token: Secret

  /// Makes an argument.
  package init(name: String, token: Secret) {
    self.name = name
    self.token = token
  }

  /// Adds the token to a request.
  package func add(to request: inout TransportRequest) {
    guard let body = request.body else { return }
    switch request.head.contentType {
    case "application/json": request.body = addMember(to: body)
    case FormEncoding.mediaType:
      let pair = FormEncoding.serialize([(name: name, value: token.reveal())])
      request.body = body + Data((body.isEmpty ? pair : "&" + pair).utf8)
    default: break
    }
  }

  /// The object with one more member at its beginning. Only its first bytes are looked at: it was encoded here.
  private func addMember(to object: Data) -> Data {
    let isSpace: (UInt8) -> Bool = { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    guard let start = object.firstIndex(where: { !isSpace($0) }), object[start] == UInt8(ascii: "{"),
      let member = try? JSONEncoder().encode([name: token.reveal()])
    else { return object }
    let rest = object[object.index(after: start)...]
    let isEmpty = rest.first { !isSpace($0) } == UInt8(ascii: "}")
    return member.dropLast() + (isEmpty ? Data() : Data(",".utf8)) + rest
  }
}

extension HTTPRequest {
  /// The media type of the body, in lower case without parameters.
  fileprivate var contentType: String? {
    guard let value = headerFields[.contentType] else { return nil }
    return value.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
  }
}
