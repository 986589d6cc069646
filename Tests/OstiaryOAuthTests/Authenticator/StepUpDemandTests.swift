import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryOAuth

/// What an API demands that speaks Entra's claims challenges.
private enum Demanded {
  static let claims = #"{"access_token":{"acrs":{"essential":true,"value":"c1?>~"}}}"#
  static let base64 = Data(claims.utf8).base64EncodedString()
}

@Suite("StepUp: what an API demands")
struct StepUpDemandTests {
  @Test(
    "StepUp-9: the demand is read of the challenge that makes it (RFC 9470 §3)",
    arguments: [
      (#"Bearer error="insufficient_user_authentication", acr_values="a b", max_age="5""#, ["a", "b"], 5),
      (#"DPoP error="insufficient_user_authentication", max_age=0"#, [], 0),
      (#"Bearer error="insufficient_user_authentication""#, [], nil),
      (#"Bearer error="insufficient_user_authentication", max_age="-1""#, [], nil),
      (#"Bearer error="insufficient_user_authentication", max_age="1e3""#, [], nil),
      (#"Bearer acr_values="x", DPoP error="insufficient_user_authentication", acr_values="y""#, ["y"], nil),
    ] as [(String, [String], Int?)])
  func read(_ field: String, _ classes: [String], _ age: Int?) {
    let answer = HTTPResponse(status: .unauthorized, headerFields: [.wwwAuthenticate: field])
    let demand = OAuthStepUp.Demand(answer)
    #expect(demand == OAuthStepUp.Demand(contextClasses: classes, maximumAge: age))
    #expect(demand.parameters["acr_values"] == (classes.isEmpty ? nil : classes.joined(separator: " ")))
    #expect(demand.parameters["max_age"] == age.map(String.init))
  }

  // MARK: Claims challenges

  private static func challenge(_ claims: String, error: String = "insufficient_claims") -> HTTPResponse {
    let place = #"authorization_uri="https://login.microsoftonline.com/common/oauth2/authorize""#
    return HTTPResponse(
      status: .unauthorized,
      headerFields: [.wwwAuthenticate: #"Bearer realm="", \#(place), error="\#(error)", claims="\#(claims)""#])
  }

  @Test(
    "StepUp-11: claims are read in base64 of either alphabet, with padding or without, where the vendor demands so",
    arguments: [
      Demanded.base64, Demanded.base64.replacing("=", with: ""),
      Demanded.base64.replacing("+", with: "-").replacing("/", with: "_"),
    ])
  func claims(_ text: String) {
    let answer = Self.challenge(text)
    let demand = OAuthStepUp.Demand(answer, takesClaims: true)
    #expect(demand.claims == Demanded.claims && demand.parameters["claims"] == Demanded.claims)
    #expect(OAuthStepUp.Demand(answer).claims == nil, "another vendor's API chooses no parameters of the page")
  }

  @Test(
    "StepUp-11: what is no JSON object in base64 demands nothing",
    arguments: ["", "####", "W10=", "bnVsbA==", "eyJh", Data(#"{"a":1"#.utf8).base64EncodedString(), "/w=="])
  func badClaims(_ text: String) throws {
    #expect(OAuthStepUp.Demand(Self.challenge(text), takesClaims: true).claims == nil)
    #expect(
      OAuthStepUp.Demand(Self.challenge(Demanded.base64, error: "invalid_token"), takesClaims: true).claims == nil)
  }

  @Test("StepUp-11: what the app asks for otherwise stays, but for what is demanded")
  func merged() throws {
    let own = #"{"access_token":{"xms_cc":{"values":["cp1"]},"acrs":{"value":"c0"}},"id_token":{"email":null}}"#
    let both = OAuthStepUp.Demand.claims(Demanded.claims, over: own)
    let expected =
      #"{"access_token":{"acrs":{"essential":true,"value":"c1?>~"},"xms_cc":{"values":["cp1"]}},"id_token":{"email":null}}"#
    #expect(both == expected)
    #expect(OAuthStepUp.Demand.claims(Demanded.claims, over: nil) == Demanded.claims)
    #expect(OAuthStepUp.Demand.claims(Demanded.claims, over: "no JSON") == Demanded.claims)
  }

  @Test("StepUp-11: a claims challenge of an Entra API is a demand; elsewhere, and without claims, the token's refusal")
  func claimsVerdict() throws {
    let clock = ManualClock()
    let directory = ServerDirectory(transport: ScriptedTransport(clock: clock), clock: clock)
    func isDemand(_ issuer: String, _ claims: String) throws -> Bool {
      let authenticator = try OAuthAuthenticator(
        server: OAuthStub.url("/"), client: OAuthClient(id: "app", issuer: issuer, in: directory))
      let response = TransportResponse(Self.challenge(claims), body: Data(), url: OAuthStub.url("/"))
      let verdict = authenticator.judge(response, to: try .get(OAuthStub.url("/")))
      return if case .insufficient = verdict { true } else { false }
    }
    let entra = "https://login.microsoftonline.com/common/v2.0"
    #expect(try isDemand(entra, Demanded.base64))
    #expect(try !isDemand(entra, "####"))
    #expect(try !isDemand("https://as.example", Demanded.base64))
  }
}
