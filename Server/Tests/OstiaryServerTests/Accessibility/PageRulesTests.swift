import Testing

@testable import OstiaryServer

@Suite("WCAG 2.2 AA: the markup of every page", .timeLimit(.minutes(20)))
struct PageRulesTests {
  static let languages = AccountTables.languages.sorted()

  @Test(
    "WCAG: names, titles, languages, autofill, errors and what was typed are right on every page", arguments: languages)
  func rules(language: String) async throws {
    var found: [String] = []
    // The pages of a service are told apart by their titles.
    var titles: [String: [String: Set<String>]] = [:]
    var seen: Set<String> = []
    try await PageCase.run(language) { visitor in
      for page in PageCase.all {
        let source = try await page.open(visitor.anew())
        found += PageRules.problems(source, of: page, language: language).map { "\(page.name): \($0)" }
        // As a page opens, or is first seen.
        guard seen.insert(page.page).inserted else { continue }
        let service = page.page.prefix { $0 != " " }
        titles[String(service), default: [:]][PageMarkup(source).title, default: []].insert(page.page)
      }
    }
    #expect(found == [])
    for (service, pages) in titles {
      let shared = pages.filter { $1.count > 1 }.map { "\(service): \($0) \($1.sorted())" }
      #expect(shared == [])
    }
  }

  @Test("WCAG: no page is listed twice, and every state of a form is there")
  func list() {
    let names = PageCase.all.map(\.name)
    #expect(Set(names).count == names.count)
    for page in Set(PageCase.all.map(\.page)) where page.hasSuffix(" login") || page.hasSuffix(" signup") {
      let states = Set(PageCase.all.filter { $0.page == page }.map(\.state))
      #expect(states.isSuperset(of: [.opened, .refused]), "\(page)")
    }
    #expect(PageCase.experiences.count >= 8)
  }

  @Test("WCAG: the rules see what is wrong with a page on which everything is")
  func flaws() {
    let page = PageCase(
      markupOf: "account x", .refused, invalid: ["a"], kept: ["c": "kept", "d": "d"], markup: { _ in "" })
    let found = PageRules.problems(
      """
      <html lang="en"><head><title>Other</title></head><body><h1 id="x">Acme</h1><h2 id="x">y</h2>
      <form action="/"><input name="a" type="password" autocomplete="email" value="secret" aria-invalid="true">
      <label for="b">B</label><input id="b" name="b" autocomplete="nonsense" aria-describedby="nowhere" tabindex="2">
      <input name="c" type="email" value="" maxlength="8" onpaste="return false" autofocus>
      <input name="e" autocomplete="current-password" autofocus><button></button><a href="#gone">x</a><p lang="">y</p>
      </form></body></html>
      """, of: page, language: "ar"
    ).joined(separator: "\n")
    for wrong in [
      "its language is en", "its direction is wrong", "its title is Other", "no one main part", "an id is there twice",
      "an order of its own", "input has onpaste", "names no language", "the focus is in two places",
      "input a has no name", "input a has no one label", "input b is described by nothing: nowhere",
      "button  has no name", "a x leads nowhere", "input b has the autofill nonsense",
      "input a is no password manager's", "input a shows a secret", "input c is filled in by nothing",
      "input e shows a secret while it is typed", "input c has maxlength", "input c has lost kept", "there is no d",
      "a is not told what is wrong", "nobody is told that something is wrong", "the focus is not on the error",
    ] {
      #expect(found.contains(wrong), "\(wrong) in \(found)")
    }
    let other = PageCase(markupOf: "account y", .opened, markup: { _ in "" })
    let opened = PageRules.problems(
      """
      <html lang="en"><title>A</title><main><label for="p">P</label><input id="p" name="p" type="password"
      autocomplete="current-password" aria-invalid="true" aria-describedby="e"><p id="e" role="alert">no</p></main></html>
      """, of: other, language: "en"
    ).joined(separator: "\n")
    for wrong in [
      "it has no one heading", "no name stands beside the password", "something is said to be wrong",
      "wrong are said to be",
    ] { #expect(opened.contains(wrong), "\(wrong) in \(opened)") }
    let silent = PageRules.problems(
      """
      <html lang="en"><title>A</title><main><h1>A</h1><label for="n">N</label><input id="n" name="n">
      <p role="alert">no</p></main></html>
      """, of: PageCase(markupOf: "account z", .refused, markup: { _ in "" }), language: "en")
    #expect(silent == ["its title says nothing of what is wrong"])
  }
}
