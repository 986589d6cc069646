internal import Foundation
package import HTTPTypes
import NIOCore
package import OstiaryCore

/// A door's answer. The server adds the security headers that the door doesn't set.
package struct DoorResponse: Sendable {
  /// The status.
  package var status: HTTPResponse.Status
  /// The header fields.
  package var headers: HTTPFields
  /// The whole body.
  package var body: [UInt8]
  /// The body instead, where another server has sent it.
  var relayedBody: ByteBuffer?
  /// Writes the body in pieces, if it isn't a whole.
  var stream: ResponseStream?
  /// Whether another server made this answer: its headers are not changed.
  var isRelayed = false

  /// Makes an answer.
  package init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A JSON answer. Its members are sorted by name: equal answers have equal bytes.
  package static func json(_ value: JSONValue, status: HTTPResponse.Status = .ok) throws -> DoorResponse {
    DoorResponse(status: status, headers: [.contentType: "application/json"], body: try JSONText(value).bytes)
  }

  /// A redirect to `location`, which must be an encoded URL that this server made.
  package static func redirect(to location: String, status: HTTPResponse.Status = .found) -> DoorResponse {
    DoorResponse(status: status, headers: [.location: location])
  }

  /// The same answer that also sets a cookie; `cookie` is the whole field value.
  package func settingCookie(_ cookie: String) -> DoorResponse {
    var copy = self
    copy.headers.append(HTTPField(name: .setCookie, value: cookie))
    return copy
  }

  /// The same answer with the time after which to retry.
  /// - Parameter delay: Rounded up to whole seconds, at least one.
  package func retrying(after delay: Duration) -> DoorResponse {
    var copy = self
    let (seconds, rest) = delay.components
    copy.headers[.retryAfter] = String(max(1, rest > 0 ? seconds &+ 1 : seconds))
    return copy
  }
}

/// A response's body that is written in pieces, as it is made: only a small part of a long body is in memory.
struct ResponseStream: Sendable {
  /// The size in bytes, if it is known.
  let size: Int?
  /// Writes the whole body. A piece is taken when the client has room for it. An error ends the connection: a client
  /// must not take half a body for a whole one.
  let produce: @Sendable (_ write: (ByteBuffer) async throws -> Void) async throws -> Void
}
