internal import Foundation
internal import HTTPTypes
internal import Logging
public import OstiaryCore

extension PegaAuthenticator {
  /// Signs in.
  ///
  /// - Throws: ``/OstiaryCore/OstiaryError``: `invalidInput` before anything is sent, for a user name or password that can't be right;
  ///   `invalidCredentials` and `accountLocked` as the server's word; `unsupportedClientVersion` when the server doesn't
  ///   work with this client's version, after ending the session that it gave; `serverUnavailable` and
  ///   `unexpectedResponse` for what says nothing about the credential; the network's own errors.
  public func signIn(with credential: Credential, in context: AuthenticationContext) async throws -> SessionGrant {
    var conversation = PegaConversation(self, context)
    do {
      return try await signIn(with: credential, &conversation)
    } catch {
      if conversation.hasUnwantedSession { await conversation.tryToLogOff() }
      throw error
    }
  }

  private func signIn(
    with credential: Credential, _ conversation: inout PegaConversation
  ) async throws -> SessionGrant {
    switch credential {
    case .password(let username, let password):
      try Self.check(username: username, password: password, for: method)
      warnAboutPlainHTTP(conversation.context)
      let login = try await present(username, password, &conversation)
      return try await conversation.grant(for: username, ask: login, presentsCredential: method != .form)
    case .request(let request):
      conversation.secrets = Self.values(of: request)
      try await conversation.present(request)
      // A session that began here has no other user: it can be ended when the sign-in fails.
      conversation.hasUnwantedSession = conversation.cookies.cookies.contains {
        configuration.sessionCookieNames.contains($0.name)
      }
      return try await conversation.grant(for: nil, ask: loginRequest())
    case .proof(let proof):
      conversation.cookies = proof.cookies
      conversation.sessionURL = proof.tokens[Self.sessionURLToken]
      return try await conversation.grant(for: nil, ask: loginRequest())
    case .byHandler:
      throw OstiaryError(.unsupportedCredential, "A Pega server is signed in to with a password, a request or cookies.")
    }
  }

  /// What the app's own login request may have of a password: the values of its form.
  private static func values(of request: TransportRequest) -> [Secret] {
    guard let body = request.body else { return [] }
    return [Secret(String(decoding: body, as: UTF8.self))]
      + FormEncoding.parse(String(decoding: body.prefix(64 * 1024), as: UTF8.self)).map { Secret($0.value) }
  }

  /// Presents a user name and password by the form, or in the request for the login activity that is returned.
  private func present(
    _ username: String, _ password: Secret, _ conversation: inout PegaConversation
  ) async throws -> TransportRequest {
    conversation.secrets =
      [password]
      + [password.reveal(), "\(username):\(password.reveal())"].map { Secret(Data($0.utf8).base64EncodedString()) }
    switch method {
    case .basic:
      var request = try loginRequest()
      let value = try BasicCredentials.authorization(username: username, password: password)
      request.head.headerFields[.authorization] = value.reveal()
      return request
    case .query:
      return try loginRequest([
        (configuration.userParameter, username),
        (configuration.passwordParameter, Data(password.reveal().utf8).base64EncodedString()),
      ])
    case .form:
      try await conversation.submitLoginForm(username, password)
      return try loginRequest()
    }
  }

  /// Whether a user name and password can be right at all.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput` for an empty or blank user name, an empty password, and what a
  ///   Basic field can't carry: a user name with a colon, and control characters (RFC 7617 §2).
  package static func check(username: String, password: Secret, for method: PegaSignInMethod) throws {
    func refusal(_ message: String, _ advice: String) -> OstiaryError {
      OstiaryError(.invalidInput, message, advice: advice, requestMayHaveExecuted: false)
    }
    guard !username.allSatisfy(\.isWhitespace) else {
      throw refusal("The user name is empty.", "Enter a user name.")
    }
    guard !password.isEmpty else {
      throw refusal("The password is empty.", "Enter a password.")
    }
    guard method == .basic else { return }
    do {
      _ = try BasicCredentials.authorization(username: username, password: password)
    } catch let error as OstiaryError {
      throw refusal(error.message, "Sign in by the login form instead (form mode).")
    }
  }

  private func warnAboutPlainHTTP(_ context: AuthenticationContext) {
    guard !address.origin.isSecure, !address.origin.isLoopback else { return }
    context.logger.warning(
      "The password travels over plain http, readable on the way.", metadata: ["host": "\(address.origin.host)"])
  }
}
