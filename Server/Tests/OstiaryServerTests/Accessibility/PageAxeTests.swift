import BrowserTestSupport
import Foundation
import OstiaryCore
import PythonTestSupport
import Testing

@testable import OstiaryServer

/// axe-core 4 (Deque) over every page. It is not part of this repository: a package for Python carries it, which is installed into the
/// build folder.
private enum Axe {
  private static let python = PythonEnvironment(
    // Of what it needs to drive browsers nothing is needed.
    name: "axe-core", packages: ["--no-deps", "axe-playwright-python==0.1.8"])
  static let absence: Comment = "There is no Chromium, no Python with venv, or no registry with axe-playwright-python."

  /// The script; nil where it can't be had.
  static func source() async -> String? {
    guard let interpreter = await python.interpreter() else { return nil }
    let library = interpreter.deletingLastPathComponent().deletingLastPathComponent().appending(path: "lib")
    let versions = (try? FileManager.default.contentsOfDirectory(at: library, includingPropertiesForKeys: nil)) ?? []
    return versions.lazy.compactMap {
      try? String(
        contentsOf: $0.appending(path: "site-packages/axe_playwright_python/axe.min.js"), encoding: .utf8)
    }.first
  }

  /// What violates WCAG 2.2 AA or axe's best practice, and what axe could not decide about colours.
  static let run = """
    axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      rules: { 'target-size': { enabled: true } },
      resultTypes: ['violations', 'incomplete'],
    }).then(result => result.violations.concat(result.incomplete.filter(found => found.id === 'color-contrast'))
      .map(found => `${found.id}: ${found.help}: ${found.nodes.map(node => node.target.join(' ')).join(', ')}`))
    """
}

@Suite(
  "WCAG 2.2 AA: every page by axe, in Chromium", .timeLimit(.minutes(20)),
  .enabled(if: Chromium.program != nil, Comment(rawValue: Chromium.absence)),
  .enabled(Axe.absence) { await Axe.source() != nil })
struct PageAxeTests {
  private static func violations(_ chromium: Chromium) async throws -> [String] {
    guard let found = try await chromium.evaluate(Axe.run).array else { return ["axe did not run"] }
    return found.map { $0.string ?? "\($0)" }
  }

  @Test(
    "WCAG: axe finds nothing on any page in any of its states, in light and dark, from left to right and from right to left",
    arguments: PageCase.kinds)
  func pages(language: String) async throws {
    let chromium = try await Chromium()
    try await chromium.addScript(try #require(await Axe.source()))
    var found: [String] = []
    var count = 0
    try await PageCase.run(language) { visitor in
      for page in PageCase.all {
        try await chromium.show(try await page.open(visitor.anew()))
        for isDark in [false, true] {
          try await chromium.resize(to: Chromium.Window(width: 360, isDark: isDark))
          found += try await Self.violations(chromium).map { "\(page.name) \(isDark ? "dark" : "light"): \($0)" }
          count += 1
        }
      }
    }
    #expect(found == [])
    #expect(count == 2 * PageCase.all.count)
    await chromium.close()
  }

  @Test("WCAG: axe sees what is wrong with a page on which everything is")
  func flaws() async throws {
    let chromium = try await Chromium()
    try await chromium.addScript(try #require(await Axe.source()))
    try await chromium.show(
      """
      <html><title></title><body style="background: #fff"><p style="color: #bbb">pale</p><input name="a">
      <button></button><input autocomplete="nonsense" aria-label="b"><div style="white-space: nowrap">
      <a href="#" style="font-size: 9px">a</a><a href="#" style="font-size: 9px">b</a></div></body></html>
      """)
    let found = try await Self.violations(chromium).joined(separator: "\n")
    for rule in [
      "html-has-lang", "document-title", "color-contrast", "label:", "button-name", "autocomplete-valid", "target-size",
      "landmark-one-main",
    ] { #expect(found.contains(rule), "\(rule) in \(found)") }
    await chromium.close()
  }
}
