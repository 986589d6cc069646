internal import Foundation
internal import HTTPTypes
internal import OstiaryCore

/// Asks for a JSON document at one address. No redirect is followed, and nothing secret goes along.
struct DocumentRequest: Sendable {
  let address: URL
  /// The version that is held (`If-None-Match`, RFC 9110 §13.1.2).
  var tag: String?
  /// The largest document that is read, in bytes.
  let maximumBytes: Int
  let timeout: Duration

  /// What was found at the address.
  enum Answer: Sendable {
    /// A body that may be a document.
    case found(TransportResponse)
    /// The version that is held is the newest.
    case unchanged(HTTPResponse)
    /// No document.
    case absent(Absence)
  }

  /// Why there is no document at an address.
  enum Absence: Sendable, Hashable {
    /// The server says that there is none.
    case missing
    /// A redirect or a page is there in its place: the server's own, or a wireless network's login page.
    case obstructed
  }

  /// Sends the request.
  /// - Throws: ``OstiaryError`` of the network, and `serverUnavailable` for a server that can't answer now.
  func send(over transport: any Transport, clock: any SessionClock) async throws -> Answer {
    var request = try TransportRequest.get(address)
    request.head.headerFields[.accept] = "application/json"
    request.head.headerFields[.ifNoneMatch] = tag
    request.timeout = timeout
    request.responseBodyLimit = maximumBytes
    // A session of a gateway on the way follows redirects for programs, and for no layer above it.
    request.layerContext.isFromLayer = true
    let response = try await transport.send(request)
    if let error = OstiaryError(unavailable: response.head, to: request.head, now: clock.now) { throw error }
    switch response.status.code {
    case 200: return Self.isPage(response) ? .absent(.obstructed) : .found(response)
    case 304 where tag != nil: return .unchanged(response.head)
    case 407:
      throw OstiaryError(
        .serverUnavailable, "A proxy wants to be convinced before it lets the request through (407).",
        advice: "Check the network's proxy.", request: request.head)
    case 400..<500: return .absent(.missing)
    default: return .absent(.obstructed)
    }
  }

  /// Whether an answer is a page, under any name: no JSON begins with `<`.
  private static func isPage(_ response: TransportResponse) -> Bool {
    if ["text/html", "application/xhtml+xml"].contains(response.mediaType) { return true }
    let start = response.body.first { !ASCII.isBlank($0) && $0 != 0x0A && $0 != 0x0D }
    return start == UInt8(ascii: "<")
  }
}
