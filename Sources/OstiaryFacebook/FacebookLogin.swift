internal import Foundation
internal import Logging
public import OstiaryCore

/// Signs a user in with Facebook: gets a token, checks that it is this app's and this user's, and reads what the user lets
/// the app know.
///
/// ```swift
/// let login = FacebookLogin(
///   try FacebookConfiguration(appID: "1234567"), tokens: .browser(LoopbackUserAgent(), redirectURI: redirect))
/// let user = try await login.signIn(in: AuthenticationContext(transport: PlatformTransport()))
/// ```
///
/// Nothing is kept here. What the app's backend gets from a program that others can change it must check by itself, which is
/// what ``verify(_:in:)`` with an app secret is for.
public struct FacebookLogin: Sendable {
  /// The app, and where Facebook is.
  public let configuration: FacebookConfiguration
  private let tokens: FacebookTokenSource

  /// Makes a way to log in.
  /// - Parameter tokens: where a user's token comes from.
  public init(_ configuration: FacebookConfiguration, tokens: FacebookTokenSource) {
    self.configuration = configuration
    self.tokens = tokens
  }

  /// Gets a token, checks it, and reads the user's fields and picture.
  ///
  /// A picture that can't be had is left out; everything else ends the sign-in.
  /// - Throws: ``/OstiaryCore/OstiaryError``: `interactionCancelled` when the user declines; `facebookTokenRefused` for a
  ///   token that is not valid, another app's or another user's; `facebookRefused` for a mistake of the program, such as a
  ///   wrong app secret; `serverUnavailable`, `unexpectedResponse` and errors of the network, after which trying again may help.
  public func signIn(in context: AuthenticationContext) async throws -> FacebookUser {
    var token = try await tokens.token(configuration, context)
    let checked = try await verify(token, in: context)
    token.userID = checked.userID ?? token.userID
    token.expiresAt = checked.expiresAt ?? token.expiresAt
    return try await user(of: token, in: context)
  }

  /// Checks that a token is valid, this app's, and the user's whom it is said to be of.
  ///
  /// With an app secret Facebook's `debug_token` is asked; without one, Facebook is asked which app the token belongs to, and
  /// the user is compared when their fields are read.
  /// - Throws: ``/OstiaryCore/OstiaryError``, as ``signIn(in:)`` does.
  @discardableResult
  public func verify(_ token: FacebookToken, in context: AuthenticationContext) async throws -> FacebookToken {
    guard !token.accessToken.isEmpty else { throw OstiaryError.facebookTokenRefused("There is no token.") }
    var token = token
    let appID: String?
    if let secret = configuration.appSecret {
      let call = GraphCall(
        configuration: configuration, path: "debug_token",
        parameters: [("input_token", token.accessToken.reveal())],
        bearer: Secret("\(configuration.appID)|\(secret.reveal())"), caller: .app)
      let data = try await call.send(in: context)["data"]
      switch data?["is_valid"]?.bool {
      case true: break
      case false: throw OstiaryError.facebookTokenRefused("Facebook does not accept the user's token.")
      default: throw GraphCall.unexpected("Facebook did not say whether the token is valid.")
      }
      appID = data?["app_id"]?.graphIdentifier
      guard let userID = data?["user_id"]?.graphIdentifier else {
        throw GraphCall.unexpected("Facebook did not say whose token it is.")
      }
      guard token.userID == nil || token.userID == userID else {
        throw OstiaryError.facebookTokenRefused("The token is another user's.")
      }
      token.userID = userID
      // 0 is for ever.
      if let end = data?["expires_at"]?.double, end > 0 { token.expiresAt = Date(timeIntervalSince1970: end) }
    } else {
      let call = GraphCall(
        configuration: configuration, path: "app", parameters: [("fields", "id")], bearer: token.accessToken)
      appID = try await call.send(in: context)["id"]?.graphIdentifier
    }
    guard let appID else { throw GraphCall.unexpected("Facebook did not say which app the token was given to.") }
    guard appID == configuration.appID else {
      throw OstiaryError.facebookTokenRefused("The token was given to another app.")
    }
    return token
  }

  private func user(of token: FacebookToken, in context: AuthenticationContext) async throws -> FacebookUser {
    var token = token
    let asked = configuration.fields.isEmpty ? ["id"] : configuration.fields
    let call = GraphCall(
      configuration: configuration, path: "me", parameters: [("fields", asked.joined(separator: ","))],
      bearer: token.accessToken)
    let answer = try await call.send(in: context)
    guard let id = answer["id"]?.graphIdentifier else {
      throw GraphCall.unexpected("Facebook did not say whose token it is.")
    }
    guard token.userID == nil || token.userID == id else {
      throw OstiaryError.facebookTokenRefused("The token is another user's.")
    }
    token.userID = id
    var fields = (answer.object ?? [:]).filter { $0.value != .null }
    if let picture = try await picture(of: id, token, in: context) { fields["profile_pic"] = .string(picture) }
    return FacebookUser(id: id, fields: fields, token: token)
  }

  private func picture(
    of id: String, _ token: FacebookToken, in context: AuthenticationContext
  ) async throws -> String? {
    guard let size = configuration.pictureSize else { return nil }
    let call = GraphCall(
      configuration: configuration, path: "\(id)/picture",
      parameters: [("width", String(size)), ("height", String(size)), ("redirect", "false")],
      bearer: token.accessToken)
    do {
      return try await call.send(in: context)["data"]?["url"]?.string
    } catch let error as OstiaryError where error.code != .facebookTokenRefused {
      context.logger.info("The user's picture is left out: \(error)")
      return nil
    }
  }
}
