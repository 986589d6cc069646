internal import Foundation
package import HTTPTypes
import NIOCore
package import OstiaryCore

/// What a door answers. The server adds the security headers that it doesn't set itself.
package struct DoorResponse: Sendable {
  /// The status.
  package var status: HTTPResponse.Status
  /// The header fields.
  package var headers: HTTPFields
  /// The whole body.
  package var body: [UInt8]
  /// The body instead, where another server has sent it.
  var relayedBody: ByteBuffer?
  /// What writes the body instead, where it isn't there as a whole.
  var stream: ResponseStream?
  /// Whether somebody else's server made this answer, whose headers are its own business.
  var isRelayed = false

  /// Makes an answer.
  package init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A JSON answer, its members sorted by name so that equal answers have equal bytes.
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

  /// The same answer that says when to come back.
  /// - Parameter delay: Rounded up to whole seconds, at least one.
  package func retrying(after delay: Duration) -> DoorResponse {
    var copy = self
    let (seconds, rest) = delay.components
    copy.headers[.retryAfter] = String(max(1, rest > 0 ? seconds &+ 1 : seconds))
    return copy
  }
}

/// A response's body that is written piece by piece, as it is made: however long it is, little of it is in memory.
struct ResponseStream: Sendable {
  /// The size in bytes, where it is known.
  let size: Int?
  /// Writes it all. A piece is taken when the client has room for it; an error ends the connection, so that nobody takes
  /// half a body for a whole one.
  let produce: @Sendable (_ write: (ByteBuffer) async throws -> Void) async throws -> Void
}
