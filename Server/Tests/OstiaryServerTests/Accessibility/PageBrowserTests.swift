import BrowserTestSupport
import Foundation
import NetworkTestSupport
import OstiaryCore
import Testing

@testable import OstiaryServer

/// What only a browser can tell of pages, and axe doesn't look at: order, size, and room.
@Suite(
  "WCAG 2.2 AA: every page, in Chromium", .timeLimit(.minutes(20)),
  .enabled(if: Chromium.program != nil, Comment(rawValue: Chromium.absence)))
struct PageBrowserTests {
  /// Looks at every page in a language.
  private static func look(
    _ language: String, _ body: (Chromium, PageCase, String) async throws -> [String]
  ) async throws -> [String] {
    let chromium = try await Chromium()
    var found: [String] = []
    try await PageCase.run(language) { visitor in
      for page in PageCase.all {
        let source = try await page.open(visitor.anew())
        try await chromium.show(source)
        found += try await body(chromium, page, source).map { "\(page.name): \($0)" }
      }
    }
    await chromium.close()
    return found
  }

  @Test(
    "WCAG: every control has its role and its name, in the order of reading, and the focus goes that way",
    arguments: PageCase.kinds)
  func order(language: String) async throws {
    let found = try await Self.look(language) { chromium, page, source in
      let markup = PageMarkup(source)
      let controls = try await chromium.accessibleControls()
      var problems: [String] = []
      for (target, control) in zip(markup.targets, controls) {
        let name = markup.name(of: target)
        if control.name != name { problems.append("\(control) is called \(name)") }
        // What folds something away is a button of its own kind.
        let buttons = ["button", "DisclosureTriangle"]
        let roles = target.isLink ? ["link"] : target.isButton ? buttons : ["textbox", "checkbox", "combobox"]
        if !roles.contains(control.role) { problems.append("\(name) is a \(control.role)") }
      }
      if markup.targets.count != controls.count {
        problems.append("\(markup.targets.map { markup.name(of: $0) }) are told as \(controls)")
      }
      // Labels, contrast, sizes of the house, and the way of the focus.
      guard page.wording == .reader else { return problems }
      return problems + (try await PageInspector(chromium: chromium).problems("\(language)-\(page.name)"))
    }
    #expect(found == [])
  }

  /// What is too small to be hit, and what does not fit into a narrow window (§1.4.10, §2.5.8).
  private static let narrow = #"""
    (() => {
      const problems = [];
      const name = e => e.tagName.toLowerCase() + (e.id ? '#' + e.id : '') + ' ' + e.innerText?.slice(0, 20);
      const root = document.documentElement;
      if (root.clientWidth !== 320) problems.push(`the window is ${root.clientWidth} wide`);
      if (root.scrollWidth > 320) problems.push(`the page is ${root.scrollWidth} wide`);
      for (const e of document.body.querySelectorAll('*')) {
        if (e.getClientRects().length === 0) continue;
        const box = e.getBoundingClientRect();
        if (box.left < -0.5 || box.right > 320.5) problems.push(`${name(e)} goes beyond the window`);
        if (!e.matches('input, select, option') && e.clientWidth > 0 && e.scrollWidth > e.clientWidth + 1)
          problems.push(`${name(e)} is too narrow for what it holds`);
        if (!e.matches('a[href], button, input:not([type=hidden]), select, textarea, summary')) continue;
        // A link within a sentence is as high as the sentence's lines.
        const isInSentence = e.matches('a') && getComputedStyle(e).display === 'inline'
          && e.parentElement.innerText.trim() !== e.innerText.trim();
        if (!isInSentence && (box.width < 24 || box.height < 24))
          problems.push(`${name(e)} is ${box.width.toFixed(1)} by ${box.height.toFixed(1)}`);
      }
      return problems;
    })()
    """#

  /// The spacing that people may set for texts (§1.4.12).
  private static let spacing = """
    (() => {
      const style = document.createElement('style');
      style.textContent = '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; '
        + 'word-spacing: 0.16em !important; } p { margin-bottom: 2em !important; }';
      document.head.append(style);
    })()
    """

  /// Long words, the other direction, tall letters, wide letters; `make storms` looks at every language.
  private static let languages =
    Rounds.count(1, full: 2) == 1 ? ["ar", "de", "hi", "zh-Hant"] : PageRulesTests.languages

  @Test(
    "WCAG: in 320 pixels nothing scrolls sideways, with wide spacing too, and what is hit is 24 pixels high and wide",
    arguments: languages)
  func reflow(language: String) async throws {
    let found = try await Self.look(language) { chromium, _, _ in
      try await chromium.resize(to: Chromium.Window(width: 320, isDark: false))
      func problems() async throws -> [String] {
        try await chromium.evaluate(Self.narrow).array?.compactMap(\.string) ?? ["nothing was looked at"]
      }
      let usual = try await problems()
      try await chromium.evaluate(Self.spacing)
      return usual + (try await problems()).map { "spaced: \($0)" }
    }
    #expect(found == [])
  }

  @Test("WCAG: a page that is too wide and whose links are too small is seen")
  func flaws() async throws {
    let chromium = try await Chromium()
    try await chromium.show(
      """
      <meta name="viewport" content="width=device-width, initial-scale=1"><style>body { margin: 0 }</style>
      <p style="width: 400px">wide</p><p><a href="#">small</a></p><p>Within <a href="#">a sentence</a>.</p>
      """)
    try await chromium.resize(to: Chromium.Window(width: 320, isDark: false))
    let found = try await chromium.evaluate(Self.narrow).array?.compactMap(\.string) ?? []
    #expect(found.contains { $0.hasPrefix("the page is ") } && found.contains { $0.hasPrefix("p wide goes beyond") })
    #expect(found.contains { $0.hasPrefix("a small is ") } && !found.contains { $0.hasPrefix("a a sentence") })
    await chromium.close()
  }
}
