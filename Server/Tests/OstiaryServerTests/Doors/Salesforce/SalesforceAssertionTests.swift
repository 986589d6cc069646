import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Salesforce door: assertions that two programs could read differently", .timeLimit(.minutes(20)))
struct SalesforceAssertionTests {
  /// Each is rightly signed.
  @Test("TK-01, JOSE-07: a member twice, in the header or the claims, a key in the header, and an extension")
  func ambiguous() async throws {
    try await SalesforceTester.run { tester in
      let (issuer, audience) = (SalesforceTester.App.backend.key, tester.server.origin)
      let claims = #"{"iss":"\#(issuer)","aud":"\#(audience)","exp":1800000180,"sub":"jane@example.com""#
      func ask(header: String = #"{"alg":"RS256"}"#, _ rest: String = "}") async throws -> Answer {
        try await tester.token([
          "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer",
          "assertion": try SalesforceSigner.shared.assertion(header: header, claims: claims + rest),
        ])
      }
      for rest in [#","sub":"bob@example.com"}"#, #","\u0073ub":"jane@example.com"}"#, #","x":{"a":1,"a":2}}"#] {
        let answer = try await ask(rest)
        #expect(answer.status == 400 && answer.errorDescription == "invalid assertion", "\(rest)")
      }
      for header in [
        #"{"alg":"RS256","alg":"RS256"}"#, #"{"alg":"none","alg":"RS256"}"#, #"{"alg":"RS256","b64":false}"#,
        #"{"alg":"RS256","crit":["x"],"x":1}"#, #"{"alg":"RS256","enc":"A256GCM"}"#, #"{"alg":"RS384"}"#,
      ] {
        let answer = try await ask(header: header)
        #expect(answer.status == 400 && answer.errorDescription == "invalid assertion", "\(header)")
      }
      // A header may carry a key; it is not where the door takes its key from.
      #expect(
        try await ask(header: #"{"alg":"RS256","typ":"JWT","kid":"x","jku":"https://evil.example/"}"#).status == 200)
    }
  }
}
