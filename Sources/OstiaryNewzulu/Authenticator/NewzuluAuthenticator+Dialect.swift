internal import Foundation
internal import HTTPTypes
internal import OstiaryCore
internal import OstiaryDialect

extension NewzuluAuthenticator {
  /// What no document says: the times, which users there are, and the words for the names of a configuration.
  static func replacements(_ configuration: NewzuluConfiguration) -> DialectReplacements {
    var replacements = DialectReplacements()
    replacements.prepare = { request, _ in request.timeout = configuration.loginTimeout }
    replacements.grant = { grant, answer, _ in
      let members = answer?[configuration.answerKeys.result]?.object
      guard let user = members.flatMap({ NewzuluUser($0, configuration: configuration) }) else {
        // Which name is not there is explained below.
        throw OstiaryError(.unexpectedResponse, "The server's answer is not a user.")
      }
      // A platform's token is one word.
      guard grant.proof.tokens.values.allSatisfy({ !$0.reveal().utf8.contains(0x20) }) else {
        throw OstiaryError(.unexpectedResponse, "The server gave a session token that can't be one.")
      }
      var grant = grant
      grant.user = Session.User(id: user.id, displayName: user.displayName)
      grant.attributes = user.attributes
      return grant
    }
    replacements.explain = { error, failure in explain(error, failure, configuration) }
    return replacements
  }

  /// The error of an answer that the document gives no meaning, in the platform's own words and with the names to correct.
  private static func explain(
    _ error: OstiaryError, _ failure: DialectFailure, _ configuration: NewzuluConfiguration
  ) -> OstiaryError {
    let isSignIn = failure.step == .signIn
    let method = isSignIn ? configuration.calls.confirmCredentials : configuration.calls.getLoggedInUser
    let answer = NewzuluAnswer(
      failure.response, configuration: configuration, now: failure.now, hiding: failure.secrets)
    // No session was shown at a sign-in, so a refusal can't be about one.
    if case .sessionOver(let refusal) = answer {
      return refusal.error(for: failure.request, calling: method, configuration)
    }
    do {
      let result = try answer.result(for: failure.request, calling: method, configuration)
      guard let members = result.object, NewzuluUser(members, configuration: configuration) != nil else {
        return notAUser(result, configuration, failure.request, hiding: failure.secrets)
      }
      return isSignIn ? noToken(result, members, failure, configuration) : error
    } catch {
      return (error as? OstiaryError) ?? OstiaryError(.unexpectedResponse, "The server's answer can't be read.")
    }
  }

  /// The error of a user without a session token.
  private static func noToken(
    _ result: JSONValue, _ members: [String: JSONValue], _ failure: DialectFailure,
    _ configuration: NewzuluConfiguration
  ) -> OstiaryError {
    if members[configuration.tokenName]?.string != nil {
      // What can't stand among a request's fields was never a token.
      return OstiaryError(
        .unexpectedResponse, "The server gave a session token that can't be one.", request: failure.request)
    }
    let names = MissingName(
      configuration.tokenName, setting: "arguments.token", in: result, hiding: failure.secrets)
    return OstiaryError(
      .unexpectedResponse, "The server confirmed the password but gave no session: \(names).",
      advice: MissingName.advice, request: failure.request)
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
