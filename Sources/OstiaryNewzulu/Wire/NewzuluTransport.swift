internal import Foundation
internal import HTTPTypes
public import OstiaryCore

/// Puts the session's token where a Newzulu server looks for it: among a call's arguments.
///
/// Proof is attached to requests as a field; this takes the field off again and writes its value into the body. Give it to
/// the session manager as its transport: `SessionManager(authenticator:, transport: NewzuluTransport(PlatformTransport()))`.
/// Requests that are no calls, having neither a JSON object nor a form in them, go on without the token.
public struct NewzuluTransport: Transport {
  private let inner: any Transport
  private let tokenName: String

  /// Makes a transport.
  /// - Parameter inner: the way to the server.
  public init(_ inner: any Transport, configuration: NewzuluConfiguration = NewzuluConfiguration()) {
    self.inner = inner
    tokenName = configuration.tokenName
  }

  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    try await inner.send(placingToken(in: request))
  }

  public func stream(_ request: TransportRequest) async throws -> StreamingResponse {
    try await inner.stream(placingToken(in: request))
  }

  private func placingToken(in request: TransportRequest) -> TransportRequest {
    guard let field = HTTPField.Name.newzuluToken, let token = request.head.headerFields[field] else { return request }
    var request = request
    request.head.headerFields[field] = nil
    guard let body = request.body else { return request }
    switch request.head.contentType {
    case "application/json": request.body = Self.addMember(tokenName, token, to: body)
    case FormEncoding.mediaType:
      let pair = FormEncoding.serialize([(name: tokenName, value: token)])
      request.body = body + Data((body.isEmpty ? pair : "&" + pair).utf8)
    default: break
    }
    return request
  }

  /// The object with one more member at its beginning. Only its first bytes are looked at: it was encoded here.
  private static func addMember(_ name: String, _ value: String, to object: Data) -> Data {
    let isSpace: (UInt8) -> Bool = { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    guard let start = object.firstIndex(where: { !isSpace($0) }), object[start] == UInt8(ascii: "{"),
      let member = try? JSONEncoder().encode([name: value])
    else { return object }
    let rest = object[object.index(after: start)...]
    let isEmpty = rest.first { !isSpace($0) } == UInt8(ascii: "}")
    return member.dropLast() + (isEmpty ? Data() : Data(",".utf8)) + rest
  }
}

extension HTTPField.Name {
  /// Carries the token from the session manager to ``NewzuluTransport``; it never travels.
  static let newzuluToken = HTTPField.Name("X-Ostiary-Newzulu-Token")
}

extension HTTPRequest {
  /// The media type of the body, in lower case without parameters.
  fileprivate var contentType: String? {
    guard let value = headerFields[.contentType] else { return nil }
    return value.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
  }
}
