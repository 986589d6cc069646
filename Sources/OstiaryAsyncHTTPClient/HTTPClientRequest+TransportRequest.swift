#if AsyncHTTPClient
  internal import AsyncHTTPClient
  internal import Foundation
  internal import HTTPTypes
  internal import NIOCore
  internal import NIOHTTP1
  internal import OstiaryCore

  extension HTTPClientRequest {
    /// The same request in AsyncHTTPClient's words.
    /// - Parameter source: what to read its body from, instead of its own.
    /// - Throws: ``OstiaryError`` `invalidRequest` when it has no usable address or a field that HTTP does not allow.
    init(_ request: TransportRequest, reading source: BodySource? = nil, userAgent: String?) throws {
      let head = request.head
      self.init(url: try head.absoluteAddress())
      method = HTTPMethod(rawValue: head.method.rawValue)
      headers.reserveCapacity(head.headerFields.count + 4)
      // The authority says what goes into Host; a field that says otherwise could only mislead the server.
      for field in head.headerFields where field.name.canonicalName != "host" {
        // AsyncHTTPClient would refuse it as well, but with an error that repeats the value.
        guard field.value.utf8.allSatisfy(\.isAllowedInFieldValue) else {
          throw head.unsendable("The field \(field.name) has characters that HTTP does not allow.")
        }
        if field.name != .cookie { headers.add(name: field.name.rawName, value: field.value) }
      }
      // Several are for HTTP/2 and later; HTTP/1.1 allows one (RFC 9113 §8.2.3, RFC 6265 §5.4).
      if let cookies = head.headerFields[.cookie] { headers.add(name: "Cookie", value: cookies) }
      if let userAgent, head.headerFields[.userAgent] == nil {
        headers.add(name: "User-Agent", value: HTTPField(name: .userAgent, value: userAgent).value)
      }
      // Some servers take a request without the field for a program that can't be redirected to a login page.
      if head.headerFields[.accept] == nil { headers.add(name: "Accept", value: "*/*") }
      if let content = request.body, source == nil, content.count <= BodyPieces.size {
        body = .bytes(ByteBuffer(bytes: content))
      } else if let pieces = source.map(BodyPieces.init) ?? request.body.map(BodyPieces.init) {
        body = .stream(pieces, length: .known(Int64(pieces.length)))
      }
    }
  }

  extension UInt8 {
    /// Everything but control characters; a tab is allowed (RFC 9110 §5.5).
    fileprivate var isAllowedInFieldValue: Bool { self >= 0x20 && self != 0x7F || self == 0x09 }
  }
#endif
