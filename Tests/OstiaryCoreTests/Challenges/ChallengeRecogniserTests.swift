import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@Suite("Recognisers: the head first, and together")
struct ChallengeRecogniserTests {
  private static let yes = ChallengeRecogniser.head("yes", mayHaveExecuted: false) { _, _ in true }
  private static let perhaps = ChallengeRecogniser.head("perhaps") { _, _ in true }
  private static let no = ChallengeRecogniser.nothing
  private static let body = ChallengeRecogniser.closure(bodySize: 10) { response, _ in
    response.text.contains("form") ? Recognition("a form", mayHaveExecuted: false) : nil
  }

  private func look(_ recogniser: ChallengeRecogniser, _ text: String = "") -> (needed: Int, found: Recognition?) {
    let response = TransportResponse(HTTPResponse(status: .ok), body: Data(text.utf8))
    let request = ManagerFixture.request()
    return (
      recogniser.bodyNeeded(toRecognise: response.head, to: request), recogniser.recognise(response, to: request)
    )
  }

  @Test("Any: the first that recognises gives the reason")
  func any() {
    #expect(look(.any(of: [Self.no, Self.yes, Self.perhaps])) == (0, Recognition("yes", mayHaveExecuted: false)))
    #expect(look(.any(of: [Self.no, Self.body]), "x") == (10, nil))
    #expect(look(.any(of: [Self.body, Self.perhaps]), "form") == (10, Recognition("a form", mayHaveExecuted: false)))
    #expect(look(.any(of: [Self.body, Self.perhaps]), "x") == (10, Recognition("perhaps")))
    #expect(look(.any(of: [])) == (0, nil))
  }

  @Test("All: one that knows that nothing was executed is enough; one that recognises nothing decides")
  func all() {
    #expect(
      look(.all(of: [Self.perhaps, Self.yes])) == (0, Recognition("perhaps, and yes", mayHaveExecuted: false)))
    #expect(look(.all(of: [Self.perhaps, Self.body]), "form").found?.mayHaveExecuted == false)
    #expect(look(.all(of: [Self.perhaps, Self.body]), "x") == (10, nil))
    #expect(look(.all(of: [Self.body, Self.no]), "form") == (0, nil))
    #expect(look(.all(of: [])) == (0, nil))
  }

  @Test("Not: what another does not recognise")
  func not() {
    #expect(look(.not(Self.no, reason: "none")) == (0, Recognition("none")))
    #expect(look(.not(Self.yes, reason: "none")) == (0, nil))
    #expect(look(.not(Self.body, reason: "no form"), "x") == (10, Recognition("no form")))
    #expect(look(.not(Self.body, reason: "no form"), "form") == (10, nil))
  }

  @Test("A closure that needs no body is asked with the head")
  func headClosure() {
    let recogniser = ChallengeRecogniser.closure(bodySize: 0) { response, _ in
      response.status == .ok ? Recognition("ok") : nil
    }
    #expect(look(recogniser) == (0, Recognition("ok")))
  }
}
