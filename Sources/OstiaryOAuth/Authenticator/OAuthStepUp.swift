public import Foundation
internal import HTTPTypes
package import OstiaryCore

/// How a user signs in more strongly or more recently when an API wants that before it acts (RFC 9470). An open set: make one with a function.
///
/// However many requests wait, the user is asked once. The stronger sign-in takes the session's place, and the requests are sent again;
/// until then, and where it comes to nothing, the session is as good as before, and the requests that waited fail with
/// `strongerSignInNeeded`. Another user's sign-in is refused.
///
/// ```swift
/// authenticator.stepUp = .authorizationCode(in: browser, redirectURI: callback, scope: "openid orders")
/// ```
public struct OAuthStepUp: Sendable {
  /// What an API demands.
  public struct Demand: Sendable, Hashable {
    /// The authentication contexts of which one is wanted (`acr_values`), the best first; empty where none is named.
    public var contextClasses: [String]
    /// How many seconds ago the user may have signed in (`max_age`); `nil` where it does not matter.
    public var maximumAge: Int?
    /// The claims that the new token has to have, as JSON (`claims`, OpenID Connect Core §5.5), where the server's vendor demands in that
    /// way.
    public var claims: String?

    /// Makes a demand.
    public init(contextClasses: [String] = [], maximumAge: Int? = nil, claims: String? = nil) {
      self.contextClasses = contextClasses
      self.maximumAge = maximumAge
      self.claims = claims
    }

    /// The parameters of an authorization request that asks for it (RFC 9470 §4).
    public var parameters: OAuthParameters {
      var parameters = OAuthParameters()
      if !contextClasses.isEmpty { parameters.add("acr_values", contextClasses.joined(separator: " ")) }
      parameters.add("max_age", maximumAge.map(String.init))
      parameters.add("claims", claims)
      return parameters
    }
  }

  let flow: @Sendable (Demand) -> OAuthFlow

  /// Steps up in another way.
  /// - Parameter flow: has the user sign in as demanded. ``Demand/parameters`` belong into its authorization request.
  public init(flow: @escaping @Sendable (Demand) -> OAuthFlow) {
    self.flow = flow
  }

  /// The user authorizes in a browser once more, as demanded; see
  /// ``OAuthFlow/authorizationCode(in:redirectURI:scope:parameters:tokenParameters:)``. With the scope `openid` the ID token shows that the
  /// server did as was demanded, and that it is the same user.
  public static func authorizationCode(
    in userAgent: any UserAgent, redirectURI: URL, scope: String? = nil, parameters: OAuthParameters = [:],
    tokenParameters: OAuthParameters = [:]
  ) -> OAuthStepUp {
    OAuthStepUp { demand in
      // What the API demands takes the place of what the app asks for otherwise.
      let asked = demand.parameters
      var all = OAuthParameters(parameters.all.filter { asked[$0.name] == nil })
      for parameter in asked.all where parameter.name != "claims" { all.add(parameter.name, parameter.value) }
      all.add("claims", demand.claims.map { Demand.claims($0, over: parameters["claims"]) })
      return .authorizationCode(
        in: userAgent, redirectURI: redirectURI, scope: scope, parameters: all, tokenParameters: tokenParameters)
    }
  }
}

extension OAuthStepUp.Demand {
  /// What an answer demands (RFC 9470 §3).
  /// - Parameter takesClaims: whether the server's vendor demands claims; see ``ServerPreset/demandsClaims``.
  init(_ answer: HTTPResponse, takesClaims: Bool = false) {
    let challenges = answer.authenticationChallenges
    let parameters =
      challenges.first { $0.parameters["error"] == "insufficient_user_authentication" }?.parameters ?? [:]
    self.init(
      contextClasses: (parameters["acr_values"] ?? "").split(separator: " ").map(String.init),
      maximumAge: parameters["max_age"].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil },
      claims: takesClaims ? Self.claims(in: challenges) : nil)
  }
}

extension OAuthAuthenticator: AuthenticatorWithStepUp {
  package var stepsUp: Bool { stepUp != nil }

  package func stepUp(
    _ session: Session, for challenge: Challenge, in context: AuthenticationContext
  ) async throws -> SessionGrant {
    guard let stepUp else {
      throw OstiaryError(
        .interactionRequired, "The authenticator does not know how its user signs in more strongly.",
        requestMayHaveExecuted: false)
    }
    let flow = stepUp.flow(
      OAuthStepUp.Demand(challenge.response.head, takesClaims: client.preset?.demandsClaims == true))
    let subject = IDToken(of: session)?.subject
    var stronger = self
    stronger.stepUp = nil
    stronger.flow = OAuthFlow(needsPerson: flow.needsPerson) { client, context in
      var tokens = try await flow.run(client, context)
      tokens.expectation?.subject = subject
      return tokens
    }
    return try await stronger.signIn(with: .byHandler, in: context)
  }
}
