import Foundation
import HTTPTypes
import OstiaryCore
import Testing

@testable import OstiaryOAuth

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
}
