internal import Foundation
internal import HTTPTypes
internal import OstiaryCore

/// Asks a server as an administrator.
struct AdministrationClient: Sendable {
  private static let why = "administration/why"

  private let address: URL
  private let token: Secret
  private let transport: any Transport
  /// How the server is called in messages.
  private let name: String

  /// - Throws: ``OstiaryError`` `invalidInput` for an address that is none of a server, or to which the token would travel in the clear.
  init(_ text: String, token: Secret, transport: any Transport) throws {
    let origin = try Self.origin(text)
    guard let address = URL(string: origin.description + "/" + Self.why) else { throw Self.noServer(text) }
    (self.address, self.token, self.transport, name) = (address, token, transport, origin.authority)
  }

  /// The server that a text means.
  static func origin(_ text: String) throws -> Origin {
    guard text == text.withoutUserInformation else {
      throw OstiaryError.usage("The server's URL has a user name or password in it.", advice: "Leave it out.")
    }
    guard let url = URL(string: text), let origin = Origin(url), url.query == nil, url.fragment == nil,
      url.path.isEmpty || url.path == "/"
    else { throw noServer(text) }
    guard origin.isSecure || origin.isLoopback else {
      throw OstiaryError.usage(
        "The administrator's token would travel to \(origin.authority) over plain http, where others can read it.",
        advice: "Use https.")
    }
    return origin
  }

  private static func noServer(_ text: String) -> OstiaryError {
    .usage("“\(text)” is not the URL of a server.", advice: "Write it without a path: https://host.")
  }

  /// The last events of a user, or of all; the oldest first.
  func events(of user: String?, tenant: String?, last: Int) async throws -> [AuditReport] {
    var items = [URLQueryItem(name: "last", value: "\(last)")]
    if let user { items.append(URLQueryItem(name: "user", value: user)) }
    if let tenant { items.append(URLQueryItem(name: "tenant", value: tenant)) }
    // A plus sign stays one: in a query it would be a blank.
    let url = address.appending(queryItems: items).absoluteString.replacing("+", with: "%2B")
    var request = try TransportRequest.get(URL(string: url) ?? address)
    request.head.headerFields[.authorization] = "Bearer \(token.reveal())"
    request.head.headerFields[.accept] = "application/json"
    let response = try await transport.send(request)
    guard response.status.code == 200 else { throw refusal(response, request) }
    guard let events = JSONValue(json: response.body)?["events"]?.array else {
      throw OstiaryError(
        .unexpectedResponse, "\(name) answered something that is no list of events.",
        advice: "Check the server's address.", request: request.head)
    }
    return try events.map { try AuditReport(told: $0) }
  }

  private func refusal(_ response: TransportResponse, _ request: TransportRequest) -> OstiaryError {
    let said = JSONValue(json: response.body)?["error"]?.string
    switch (response.status.code, said) {
    case (401, "expired_token"):
      return OstiaryError(
        .invalidCredentials, "The administrator's token has expired at \(name).",
        advice: "Make another one on the server's machine with `ostiary admin add`.", request: request.head)
    case (401, _):
      return OstiaryError(
        .invalidCredentials, "\(name) knows no administrator with this token.",
        advice: "Make one on the server's machine with `ostiary admin add`.", request: request.head)
    case (403, "https_required"):
      return OstiaryError(
        .invalidCredentials, "The token came to \(name) over plain HTTP, where others can read it.",
        advice: "Replace the token, and see that all of the way is https; the server must trust its proxy.",
        request: request.head)
    case (404, _), (405, _):
      return OstiaryError(
        .unexpectedResponse, "\(name) answers no administrators (\(response.status.code)).",
        advice: "Start it with `ostiary serve --admin`; one that doesn't know this option is too old.",
        disposition: .misuse, request: request.head)
    case (429, _), (500..., _):
      let wait = response.head.headerFields[.retryAfter].flatMap { RetryAfter.parse($0, now: Date()) }
      return OstiaryError(
        .serverUnavailable,
        response.status.code == 429
          ? "\(name) heard too many wrong tokens from here." : "\(name) can't answer now (\(response.status.code)).",
        advice: "Try again later.", disposition: .transient(retryAfter: wait), request: request.head)
    default:
      return OstiaryError(
        .unexpectedResponse, "\(name) answered \(response.status.code), which says nothing about its events.",
        advice: "Check the server's address.", request: request.head)
    }
  }
}
