internal import Foundation
internal import HTTPTypes
public import OstiaryCore

extension NewzuluClient {
  /// Makes a call of the platform's API.
  /// - Parameters:
  ///   - method: the method, such as `media.getFiles`.
  ///   - arguments: the arguments by name. The project's tenant, the key and the session are added.
  ///   - access: in whose name; by default the user's if credentials were set, otherwise the app's.
  /// - Returns: the call's result.
  /// - Throws: ``/OstiaryCore/OstiaryError``: `newzuluRefused` with a ``NewzuluRefusal`` when the server did not carry it out,
  ///   `interactionRequired` when it takes credentials and none were set, `invalidCredentials` when they are wrong.
  nonisolated(nonsending) public func call(
    _ method: String, _ arguments: [String: JSONValue] = [:], as access: NewzuluAccess? = nil
  ) async throws -> JSONValue {
    let account = state.withLock { $0.account }
    return try await call(method, arguments, as: access ?? (account == nil ? .app : .user), of: account)
  }

  func call(
    _ method: String, _ arguments: [String: JSONValue], as access: NewzuluAccess, of account: NewzuluAccount?
  ) async throws -> JSONValue {
    let call = authenticator.call(method, arguments, withKey: access != .anonymous)
    let request = try call.request(
      to: authenticator.services, encoding: configuration.encoding, timeout: configuration.callTimeout)
    let response: TransportResponse
    var secrets = [authenticator.apiKey]
    switch access {
    case .app, .anonymous:
      response = try await network.send(request)
    case .user:
      guard let account else { throw Self.noCredentials }
      response = try await send(request, as: account)
      let token = account.manager.current?.proof.tokens[NewzuluAuthenticator.sessionToken]
      secrets += [account.password, token].compactMap { $0 }
    }
    let answer = NewzuluAnswer(response, configuration: configuration, now: clock.now, hiding: secrets)
    return try answer.result(for: request.head, calling: method, configuration)
  }

  private func send(_ request: TransportRequest, as account: NewzuluAccount) async throws -> TransportResponse {
    do {
      return try await AuthenticatedTransport(account.manager).send(request)
    } catch let error as OstiaryError where error.code == .interactionRequired {
      if account.isSignedOut { throw Self.signedOut }
      // A manager that came with the account asks for the password itself.
      if account.password == nil { throw error }
      // The manager has forgotten a password that the server refused, and would have to ask for another.
      throw OstiaryError(
        .invalidCredentials, "The server has refused the e-mail address and password that were set.",
        requestMayHaveExecuted: false, underlying: error)
    }
  }

  /// What no text of an error may repeat: the key, and the present account's password and token.
  var secrets: [Secret] {
    let account = state.withLock { $0.account }
    let token = account?.manager.current?.proof.tokens[NewzuluAuthenticator.sessionToken]
    return [authenticator.apiKey] + [account?.password, token].compactMap { $0 }
  }

  static var signedOut: OstiaryError {
    OstiaryError(.signedOut, "The user was signed out while this was under way.", requestMayHaveExecuted: false)
  }

  /// The error of what one user began and another would go on with.
  static var anotherUser: OstiaryError {
    OstiaryError(
      .signedOut, "This upload was begun by another user, or for another project; nothing was sent.",
      advice: "Sign in as the user who began it.", requestMayHaveExecuted: false)
  }

  static func unexpected(_ message: String, advice: String? = nil) -> OstiaryError {
    OstiaryError(.unexpectedResponse, message, advice: advice)
  }
}

/// In whose name a call is made.
public enum NewzuluAccess: Sendable, Hashable, CaseIterable {
  /// In the user's: the call signs in when it needs to.
  case user
  /// In the app's: the call carries the API key and no session.
  case app
  /// In no user's name: neither key nor session. Media lists then have moderated items only.
  case anonymous
}
