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
      throw OstiaryError.usage(ServerAddressMessage.userInformation)
    }
    guard let url = URL(string: text), let origin = Origin(url), url.query == nil, url.fragment == nil,
      url.path.isEmpty || url.path == "/"
    else { throw noServer(text) }
    guard origin.isSecure || origin.isLoopback else {
      throw OstiaryError.usage(AdministrationMessage.tokenInTheClear(place: origin.authority))
    }
    return origin
  }

  private static func noServer(_ text: String) -> OstiaryError {
    .usage(ServerAddressMessage.noServerWithoutPath(text))
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
        .unexpectedResponse, AdministrationMessage.noEvents(server: name), request: request.head)
    }
    return try events.map { try AuditReport(told: $0) }
  }

  private func refusal(_ response: TransportResponse, _ request: TransportRequest) -> OstiaryError {
    let said = JSONValue(json: response.body)?["error"]?.string
    let code = response.status.code
    func error(
      _ code: OstiaryError.Code, _ message: AdministrationMessage, _ disposition: OstiaryError.Disposition? = nil
    ) -> OstiaryError {
      OstiaryError(code, message, disposition: disposition, request: request.head)
    }
    switch (code, said) {
    case (401, "expired_token"): return error(.invalidCredentials, .tokenExpired(server: name))
    case (401, _): return error(.invalidCredentials, .tokenUnknown(server: name))
    case (403, "https_required"): return error(.invalidCredentials, .httpsRequired(server: name))
    case (404, _), (405, _):
      return error(.unexpectedResponse, .noAdministrators(server: name, status: code), .misuse)
    case (429, _), (500..., _):
      let wait = response.head.headerFields[.retryAfter].flatMap { RetryAfter.parse($0, now: Date()) }
      let message: AdministrationMessage =
        code == 429 ? .tooManyTokens(server: name) : .unavailable(server: name, status: code)
      return error(.serverUnavailable, message, .transient(retryAfter: wait))
    default: return error(.unexpectedResponse, .unclear(server: name, status: code))
    }
  }
}
