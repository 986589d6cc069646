internal import Foundation
internal import HTTPTypes
internal import OstiaryCore

/// The session's token where a Newzulu server looks for it: among a call's arguments.
///
/// Requests that are no calls, having neither a JSON object nor a form in them, go on without the token.
struct TokenArgument: Sendable {
  let name: String
  let token: Secret

  func add(to request: inout TransportRequest) {
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
