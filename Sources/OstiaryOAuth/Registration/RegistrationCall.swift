internal import Foundation
internal import HTTPTypes
internal import OstiaryCore

/// One request about a registration, and what comes back. It is sent once, and follows no redirect.
struct RegistrationCall: Sendable {
  private let directory: ServerDirectory
  private let issuer: String
  private let address: URL
  private let token: Secret?
  /// What must not come back in the server's words.
  private let secrets: [Secret]

  init(_ directory: ServerDirectory, _ issuer: String, _ address: URL, token: Secret?, secret: Secret? = nil) {
    self.directory = directory
    self.issuer = issuer
    self.address = address
    self.token = token
    secrets = [token, secret].compactMap { $0 }
  }

  /// - Throws: `invalidInput` for a registration that came without a management token.
  init(_ directory: ServerDirectory, managing registration: OAuthRegistration) throws {
    guard let address = registration.managementAddress, let token = registration.managementToken else {
      throw OstiaryError.invalidOAuthInput(
        "The server gave no way to manage the registration (RFC 7592 §3).", "Ask the server's administrator.")
    }
    self.init(directory, registration.issuer, address, token: token, secret: registration.secret)
  }

  /// Sends a request whose answer is a registration.
  func answer(
    to method: HTTPRequest.Method, _ body: Data?, isSuccess: Set<Int>, earlier: OAuthRegistration?
  ) async throws -> OAuthRegistration {
    let (response, request) = try await send(method, body)
    guard isSuccess.contains(response.status.code) else { throw refusal(response, request) }
    let members: [String: JSONValue]
    do {
      members = try StrictJSON.object([UInt8](response.body), maximumDepth: ServerMetadata.maximumDepth)
    } catch {
      throw unexpected("The server's answer to a registration is not one JSON object.", request)
    }
    do {
      return try OAuthRegistration(members, issuer: issuer, rule, earlier: earlier)
    } catch {
      throw unexpected(error.message, request)
    }
  }

  /// Sends a request.
  /// - Throws: the network's errors, and `serverUnavailable`.
  func send(_ method: HTTPRequest.Method, _ body: Data?) async throws -> (TransportResponse, HTTPRequest) {
    guard rule.problem(of: address) == nil else {
      throw OstiaryError.invalidOAuthInput("The address of the registration is not an https URL.", "Check it.")
    }
    var fields: HTTPFields = [.accept: "application/json"]
    if body != nil { fields[.contentType] = "application/json" }
    // RFC 6750 §2.1: what a token is made of.
    if let token {
      guard TokenSet.isToken(token.reveal()) else {
        throw OstiaryError.invalidOAuthInput(
          "The token for the registration has characters that none has.", "Check it.")
      }
      fields[.authorization] = "Bearer " + token.reveal()
    }
    var request = TransportRequest(try HTTPRequest(method, to: address, headerFields: fields), body: body)
    request.timeout = directory.timeout
    request.responseBodyLimit = ServerMetadata.maximumBytes
    request.layerContext.isFromLayer = true
    let response = try await directory.transport.send(request)
    if let error = OstiaryError(unavailable: response.head, to: request.head, now: directory.clock.now) { throw error }
    return (response, request.head)
  }

  /// What an answer means that is no success (RFC 7591 §3.2.2).
  func refusal(_ response: TransportResponse, _ request: HTTPRequest) -> OstiaryError {
    let status = response.status.code
    let members = response.mediaType == "text/html" ? nil : JSONValue(json: response.body)?.object
    guard (400..<500).contains(status), status != 407, let code = members?["error"]?.string, !code.isEmpty else {
      guard [401, 403].contains(status), response.mediaType != "text/html" else {
        return unexpected("The server's answer to a registration (\(status)) is not one that RFC 7591 knows.", request)
      }
      return refused("The server does not accept the token for the registration (\(status)).", nil, request)
    }
    let refusal = OAuthRefusal(
      code: .init(code), explanation: members?["error_description"]?.string, status: status,
      hiding: secrets)
    return refused("The server does not register the client so (\(refusal)).", refusal, request)
  }

  private var rule: EndpointRule {
    EndpointRule(
      allowsPlainHTTP: directory.allowsPlainHTTP,
      allowsLoopback: (try? IssuerAddress(issuer, allowsPlainHTTP: directory.allowsPlainHTTP))?.origin.isLoopback
        ?? false)
  }

  private func refused(_ message: String, _ underlying: OAuthRefusal?, _ request: HTTPRequest) -> OstiaryError {
    OstiaryError(
      .registrationRefused, message,
      advice: "Check what the client says of itself, and the token for the registration.",
      disposition: .misuse, request: request, underlying: underlying)
  }

  private func unexpected(_ message: String, _ request: HTTPRequest) -> OstiaryError {
    OstiaryError(.unexpectedResponse, message, request: request)
  }
}
