public import Foundation
public import OstiaryCore

/// How an authenticator gets its first tokens without being handed any. An open set: make one with a function.
public struct OAuthFlow: Sendable {
  /// Whether it takes a person. One that takes none is also a way to renew.
  public let needsPerson: Bool
  /// Names the flow: its copies are the same, and no other is.
  package let id = UUID()
  let run: @Sendable (OAuthClient, AuthenticationContext) async throws -> TokenSet

  /// Makes a flow of another kind.
  /// - Parameters:
  ///   - needsPerson: whether it takes a person's time.
  ///   - run: gets the tokens. It must send each request once.
  public init(
    needsPerson: Bool, run: @escaping @Sendable (OAuthClient, AuthenticationContext) async throws -> TokenSet
  ) {
    self.needsPerson = needsPerson
    self.run = run
  }

  /// The user authorizes in a browser: authorization code with PKCE (RFC 6749 §4.1, RFC 7636, RFC 8252). Where the server
  /// takes requests beforehand, the browser's address says nothing of what is asked for (RFC 9126).
  /// - Parameters:
  ///   - userAgent: shows the page.
  ///   - redirectURI: as registered; a loopback address without a port gets one.
  ///   - scope: what for, in words separated by spaces.
  ///   - parameters: extras of the authorization request.
  ///   - tokenParameters: extras of the token request, such as `resource` (RFC 8707 §2.2).
  public static func authorizationCode(
    in userAgent: any UserAgent, redirectURI: URL, scope: String? = nil, parameters: OAuthParameters = [:],
    tokenParameters: OAuthParameters = [:]
  ) -> OAuthFlow {
    OAuthFlow(needsPerson: true) { client, context in
      let visit = try await userAgent.visit(redirectURI) { uri in
        let request = try AuthorizationRequest(client, redirectURI: uri, scope: scope, parameters: parameters)
        return try await client.pushed(request, in: context)
      }
      let response = try visit.request.check(visit.callback)
      return try await client.tokens(
        for: response, to: visit.request, parameters: tokenParameters, in: context)
    }
  }

  /// The user enters a code on another device (RFC 8628).
  /// - Parameter show: shows the user where to enter which code, and returns at once.
  public static func device(
    scope: String? = nil, parameters: OAuthParameters = [:],
    show: @escaping @Sendable (DeviceAuthorization) async throws -> Void
  ) -> OAuthFlow {
    OAuthFlow(needsPerson: true) { client, context in
      let device = try await client.authorizeDevice(scope: scope, parameters: parameters, in: context)
      // A code that is of no use any more is shown to no person.
      try Task.checkCancellation()
      try await show(device)
      return try await client.tokens(for: device, in: context)
    }
  }

  /// The client acts for itself (RFC 6749 §4.4): a program without a user. It needs a secret or a key.
  ///
  /// The session is the client's: ``OAuthIdentity/known(_:)`` gives it another name than the client's identifier.
  public static func clientCredentials(scope: String? = nil, parameters: OAuthParameters = [:]) -> OAuthFlow {
    OAuthFlow(needsPerson: false) { client, context in
      var form = OAuthParameters()
      form.add("scope", scope)
      try form.add(extras: parameters)
      return try await client.tokens(forGrant: "client_credentials", parameters: form, in: context)
    }
  }

  /// A token that the program has is exchanged for one of its own (RFC 8693).
  /// - Parameter exchange: says which, anew each time tokens are needed: an exchanged token is renewed by another exchange.
  public static func tokenExchange(
    parameters: OAuthParameters = [:],
    _ exchange: @escaping @Sendable (AuthenticationContext) async throws -> TokenExchange
  ) -> OAuthFlow {
    OAuthFlow(needsPerson: false) { client, context in
      try await client.tokens(exchanging: try await exchange(context), parameters: parameters, in: context)
    }
  }

  /// The app vouches for an account with a signed assertion (RFC 7523 §2.1).
  ///
  /// The assertion is made for the server's time, as far as that is known. Where the server refuses one and its clock is not
  /// where it was thought to be, one more is made.
  /// - Parameter assertion: makes the assertion, a new one each time it is called.
  public static func assertion(
    scope: String? = nil, parameters: OAuthParameters = [:],
    _ assertion: @escaping @Sendable (AssertionRequest) async throws -> Secret
  ) -> OAuthFlow {
    OAuthFlow(needsPerson: false) { client, context in
      try await client.tokens(in: context, scope: scope, parameters: parameters) { now in
        try await assertion(
          AssertionRequest(
            clientID: client.id, audience: client.endpoints.token, issuer: client.endpoints.issuer, now: now))
      }
    }
  }
}

/// What an assertion has to say (RFC 7523 §3).
public struct AssertionRequest: Sendable, Hashable {
  /// For `iss`, as a rule: who vouches.
  public let clientID: String
  /// For `aud`: the token endpoint.
  public let audience: URL
  /// For `aud`, where the server wants its issuer identifier there.
  public let issuer: String?
  /// For `iat` and, some minutes later, `exp`: the time by the server's clock, as far as an answer of the server has shown it,
  /// and by the session manager's clock otherwise.
  public let now: Date
}
