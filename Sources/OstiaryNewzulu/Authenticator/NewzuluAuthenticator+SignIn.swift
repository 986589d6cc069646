internal import Foundation
internal import HTTPTypes
internal import Logging
internal import OstiaryCore

extension NewzuluAuthenticator {
  static let noToken = "The session has no token."

  static var unsupported: OstiaryError {
    OstiaryError(
      .unsupportedCredential, "A Newzulu platform is signed in to with a password or a session token.",
      requestMayHaveExecuted: false)
  }

  /// Whether an e-mail address and a password can be right at all.
  static func check(username: String, password: Secret) throws {
    guard !username.allSatisfy(\.isWhitespace) else {
      throw OstiaryError(
        .invalidInput, "The e-mail address is empty.", advice: "Enter an e-mail address.",
        requestMayHaveExecuted: false)
    }
    guard !password.isEmpty else {
      throw OstiaryError(
        .invalidInput, "The password is empty.", advice: "Enter a password.", requestMayHaveExecuted: false)
    }
  }

  func signIn(
    _ username: String, _ password: Secret, _ context: AuthenticationContext
  ) async throws -> SessionGrant {
    if !origin.isSecure, !origin.isLoopback {
      context.logger.warning(
        "The password travels over plain http, readable on the way.", metadata: ["host": "\(origin.host)"])
    }
    var arguments = configuration.signInArguments
    arguments[configuration.usernameArgument] = .string(username)
    arguments[configuration.passwordArgument] = .string(password.reveal())
    let call = call(configuration.calls.confirmCredentials, arguments)
    let (answer, request) = try await ask(call, hiding: password, context)
    if case .sessionOver(let refusal) = answer {
      // No session was shown, so this can't be about one.
      throw refusal.error(for: request, calling: call.method, configuration)
    }
    let result = try answer.result(for: request, calling: call.method, configuration)
    // Published: "this method always returns false when username or password is incorrect", with HTTP 200.
    if result.isFalse { throw TerminalAnswer.wrongCredentials.error }
    guard let members = result.object else {
      throw Self.notAUser(result, configuration, request, hiding: [password, apiKey])
    }
    guard let token = members[configuration.tokenName]?.string.map({ Secret($0) }) else {
      let names = MissingName(
        configuration.tokenName, setting: "arguments.token", in: result, hiding: [password, apiKey])
      throw OstiaryError(
        .unexpectedResponse, "The server confirmed the password but gave no session: \(names).",
        advice: MissingName.advice,
        request: request)
    }
    return try grant(members, token, request, hiding: [password])
  }

  /// Takes over a session that began elsewhere.
  func takeOver(_ token: Secret, _ context: AuthenticationContext) async throws -> SessionGrant {
    let (answer, request) = try await ask(configuration.calls.getLoggedInUser, carrying: token, context)
    if case .sessionOver = answer { throw TerminalAnswer.sessionOver.error }
    let result = try answer.result(for: request, calling: configuration.calls.getLoggedInUser, configuration)
    if result.isFalse { throw TerminalAnswer.sessionOver.error }
    guard let members = result.object else {
      throw Self.notAUser(result, configuration, request, hiding: [token, apiKey])
    }
    return try grant(members, token, request)
  }

  func ask(
    _ method: String, carrying token: Secret, _ context: AuthenticationContext
  ) async throws -> (NewzuluAnswer, HTTPRequest) {
    try await ask(call(method, [configuration.tokenName: .string(token.reveal())]), hiding: token, context)
  }

  private func ask(
    _ call: NewzuluCall, hiding secret: Secret, _ context: AuthenticationContext
  ) async throws -> (NewzuluAnswer, HTTPRequest) {
    let request = try call.request(
      to: services, encoding: configuration.encoding, timeout: configuration.loginTimeout)
    let response = try await context.transport.send(request)
    let answer = NewzuluAnswer(
      response, configuration: configuration, now: context.clock.now, hiding: [secret, apiKey])
    return (answer, request.head)
  }

  private func grant(
    _ members: [String: JSONValue], _ token: Secret, _ request: HTTPRequest, hiding secrets: [Secret] = []
  ) throws -> SessionGrant {
    guard let user = NewzuluUser(members, configuration: configuration) else {
      throw Self.notAUser(.object(members), configuration, request, hiding: secrets + [token, apiKey])
    }
    // What can't stand among a request's fields was never a token.
    guard !token.isEmpty, token.reveal().utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw OstiaryError(.unexpectedResponse, "The server gave a session token that can't be one.", request: request)
    }
    return SessionGrant(
      user: Session.User(id: user.id, displayName: user.displayName),
      proof: Proof(tokens: [Self.sessionToken: token]), attributes: user.attributes)
  }

  /// The error of a result that is not a user.
  static func notAUser(
    _ result: JSONValue, _ configuration: NewzuluConfiguration, _ request: HTTPRequest? = nil, hiding secrets: [Secret]
  ) -> OstiaryError {
    let keys = configuration.userKeys
    let isID = result[keys.id]?.looseText == nil
    let names = MissingName(
      isID ? keys.id : keys.username, setting: isID ? "user.id" : "user.username", in: result, hiding: secrets)
    return OstiaryError(
      .unexpectedResponse, "The server's answer is not a user with an identifier and a username: \(names).",
      advice: MissingName.advice, request: request)
  }
}
