import Testing

@testable import OstiaryExperiences

@Suite("Page size", .timeLimit(.minutes(20)))
struct PageSizeTests {
  /// The most bytes that a page may have.
  private static let most = 60_000

  @Test("A page has 60 KB at most: every screen of the starter, with everything refused, in every language")
  func starter() throws {
    let experience = try Fixtures.starter()
    var (largest, count) = (0, 0)
    for language in BuiltInTexts.languages {
      for flow in experience.flows {
        for screen in flow.screens {
          var result = ValidationResult()
          result.invalidate(message: "This was not accepted.", code: "credentials.wrong")
          for field in screen.fields { result.invalidate(field: field.key, code: "password.too_common") }
          let drawn = try #require(
            experience.draw(
              screen: screen.id, of: flow.id, result: result, languages: [language], canGoBack: true, turn: 7))
          let page = ExperiencePage(drawn, action: "/account/step", style: .inline(nonce: "bm9uY2U"))
          largest = max(largest, page.html.utf8.count)
          count += 1
        }
      }
    }
    #expect(count == BuiltInTexts.languages.count * 6)
    #expect(largest > 1_000 && largest <= Self.most, "\(largest)")
  }
}
