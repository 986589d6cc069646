import Foundation
import OstiaryCore
import Testing

@testable import OstiaryExperiences

@Suite("Page", .timeLimit(.minutes(20)))
struct PageTests {
  private func screen(
    _ id: String, of flow: String, entries: [String: String] = [:], issues: [String: FieldIssue] = [:],
    result: ValidationResult = .valid, languages: [String] = [], properties: [String: JSONValue] = [:]
  ) throws -> ScreenSnapshot {
    try #require(
      Fixtures.starter().draw(
        screen: id, of: flow, entries: entries, issues: issues, result: result, languages: languages,
        properties: properties))
  }

  /// The tags of an element, as they stand in the source.
  private func tags(_ name: String, in html: String) -> [String] {
    html.components(separatedBy: "<\(name)").dropFirst().compactMap { piece in
      guard let first = piece.first, first == " " || first == ">" else { return nil }
      return piece.components(separatedBy: ">").first
    }
  }

  @Test("Every control has a label, a name and what a password manager needs")
  func labels() throws {
    for (screen, flow) in [("account", "sign-up"), ("about", "sign-up"), ("credentials", "log-in")] {
      let drawn = try self.screen(screen, of: flow)
      let html = ExperiencePage(drawn, action: "/go").html
      let labels = tags("label", in: html)
      for field in drawn.fields where field.kind != .hidden {
        #expect(labels.contains(#" for="field-\#(field.key)""#))
        let control = try #require(
          (tags("input", in: html) + tags("select", in: html)).first { $0.contains(#"id="field-\#(field.key)""#) })
        #expect(control.contains(#"name="\#(field.key)""#))
        if let autofill = field.autofill { #expect(control.contains(#"autocomplete="\#(autofill)""#)) }
        #expect(control.contains(" required") == field.isRequired)
        #expect(!control.contains("maxlength"))
      }
      #expect(!html.contains(#"name="source""#), "a hidden field's value is not the browser's to send")
      #expect(!html.contains("confetti"))
      #expect(tags("form", in: html).count == 1 && html.contains(" novalidate>"))
    }
  }

  @Test("Nothing in a page needs a script or an inline style", arguments: ["account", "about"])
  func strictPolicy(id: String) throws {
    let html = ExperiencePage(
      try screen(id, of: "sign-up"), action: "/go", style: .inline(nonce: "r4nd0m\"")
    ).html
    #expect(!html.contains("<script") && !html.contains(" style=") && !html.contains("javascript:"))
    #expect(!html.contains(" on"), "no handler")
    #expect(html.contains(#"<style nonce="r4nd0m&quot;">"#))
    #expect(
      ExperiencePage(try screen(id, of: "sign-up"), action: "/go").html.contains("<style>" + ExperiencePage.styleSheet))
  }

  @Test("Flow-F2, Flow-F3: messages stand on their fields, the first has the focus, passwords never come back")
  func messages() throws {
    var result = ValidationResult.invalid(field: "email", message: "Taken.")
    result.invalidate(field: "elsewhere", message: "Lost.")
    let html = ExperiencePage(
      try screen(
        "account", of: "sign-up", entries: ["email": "ada@example.com", "password": "planted-9d81"],
        issues: ["password": FieldIssue(.tooShort, limit: "15")], result: result),
      action: "/go"
    ).html
    let inputs = tags("input", in: html)
    let email = try #require(inputs.first { $0.contains(#"id="field-email""#) })
    #expect(email.contains(#"aria-invalid="true""#) && email.contains(#"aria-describedby="message-email""#))
    #expect(email.contains(" autofocus") && email.contains(#"value="ada@example.com""#))
    let password = try #require(inputs.first { $0.contains(#"id="field-password""#) })
    #expect(password.contains(#"aria-describedby="help-password message-password""#))
    #expect(!password.contains("value=") && !password.contains("autofocus"))
    #expect(html.contains(#"<p class="message" id="message-email">Taken.</p>"#))
    #expect(html.contains("Use at least 15 characters."))
    #expect(html.contains(#"role="alert""#) && html.contains("<li>Lost.</li>"))
    #expect(html.contains("<title>There is a problem: Welcome, friend</title>"))
    #expect(!html.contains("planted-9d81"))
  }

  @Test("An action with an address is a link, whose texts stay text; one that sends what was entered is a button")
  func links() throws {
    let drawn = try screen("account", of: "sign-up")
    let html = ExperiencePage(
      drawn, action: "/go", links: ["log-in": "/in?a=\"&b", "continue": "/on", "nonsense": "/no"]
    ).html
    #expect(html.contains(#"<a class="link" href="/in?a=&quot;&amp;b">I have an account</a>"#))
    #expect(tags("a", in: html).count == 1 && !tags("button", in: html).contains { $0.contains("log-in") })
    let buttons = tags("button", in: html)
    #expect(buttons.contains { $0.contains(#"value="continue""#) } && !html.contains("/on\"") && !html.contains("/no"))
    #expect(tags("a", in: ExperiencePage(drawn, action: "/go").html).isEmpty)
  }

  @Test("The title ends with whose page it is, and begins with what is wrong")
  func site() throws {
    let drawn = try screen("account", of: "sign-up")
    let plain = ExperiencePage(drawn, action: "/go", site: "A & B").html
    #expect(plain.contains("<title>Welcome, friend – A &amp; B</title>"))
    #expect(plain.contains("<h1>Welcome, friend</h1>"))
    let wrong = try screen("account", of: "sign-up", issues: ["email": FieldIssue(.email)])
    #expect(
      ExperiencePage(wrong, action: "/go", site: "Acme").html.contains(
        "<title>There is a problem: Welcome, friend – Acme</title>"))
  }

  @Test("Whatever a document, a property or an entry says stays text")
  func escaping() throws {
    let evil = #"</title></p>"><script>alert('1')</script><b x='&"#
    let text = Experience.Text.literal(evil)
    let experience = Experience(
      id: "evil",
      flows: [
        Experience.Flow(
          id: "f", kind: .custom,
          screens: [
            Experience.Screen(
              id: "s", title: text, text: text,
              fields: [
                Experience.Field(key: "a", kind: .text, label: text, placeholder: text, help: text, error: text),
                Experience.Field(key: "b", kind: .choice, options: [.init(evil, label: text)], autofill: evil),
              ],
              actions: [Experience.Action(id: evil, label: text, work: .move(.next))])
          ])
      ])
    let drawn = try #require(
      experience.draw(
        screen: "s", of: "f", entries: ["a": evil], issues: ["b": FieldIssue(.choice)],
        result: .invalid(field: "a", message: evil), languages: [evil]))
    let html = ExperiencePage(drawn, action: evil, hidden: [(name: evil, value: evil)], style: .linked(evil)).html
    #expect(!html.contains("<script") && !html.contains("<b ") && !html.contains("'"))
    #expect(
      tags("form", in: html).count == 1 && tags("p", in: html).count == html.components(separatedBy: "</p>").count - 1)
  }

  @Test("Parts of a page are what the page itself is made of, with codes of one's own")
  func parts() throws {
    let drawn = try screen("account", of: "sign-up", issues: ["email": FieldIssue(.email)])
    let html = ExperiencePage(drawn, action: "/go").html
    for field in drawn.fields {
      #expect(html.contains(ExperiencePage.field(field, words: drawn.words, hasFocus: field.message != nil)))
    }
    #expect(html.contains(ExperiencePage.problems([], fields: drawn.fields, words: drawn.words)))
    let field = FieldSnapshot(
      key: "name", kind: .text, label: "<i>", value: "\"", autofill: "username", message: "No & no.")
    let own = ExperiencePage.field(field, words: .init(), codes: ["a.b", "\"c"])
    #expect(own.contains("&lt;i&gt;") && own.contains(#" value="&quot;""#))
    #expect(own.contains(#"id="message-name" data-code="a.b &quot;c">No &amp; no.</p>"#))
    #expect(own.contains(#" autocapitalize="none" spellcheck="false" dir="auto""#))
    let problems = ExperiencePage.problems([.init("<b>", code: "x")], fields: [field], words: .init())
    #expect(problems.contains(#"role="alert""#) && problems.contains(##"<li data-code="x">&lt;b&gt;</li>"##))
    #expect(problems.contains(##"<a href="#field-name">&lt;i&gt;: No &amp; no.</a>"##))
    #expect(ExperiencePage.problems([], fields: [], words: .init()).isEmpty)
    #expect(ExperiencePage.escape("<'\"&\0") == "&lt;&#39;&quot;&amp;\u{FFFD}")
    let secret = FieldSnapshot(key: "p", kind: .password, label: "P", value: "planted-7", isSecure: false)
    #expect(secret.isSecure && secret.value == nil && secret.isFilled)
    #expect(FieldSnapshot(key: "k", kind: .init(rawValue: "slider"), label: "K").kind == .text)
  }

  @Test("A page says its language and direction, and long and right-to-left values stay whole")
  func languages() throws {
    let long = String(repeating: "w", count: 320)
    let html = ExperiencePage(
      try screen("about", of: "sign-up", entries: ["first_name": long + "\u{202E}مرحبا"], languages: ["ar-EG"]),
      action: "/go"
    ).html
    #expect(html.contains(#"<html lang="ar" dir="rtl">"#))
    #expect(html.contains(long + "\u{202E}مرحبا"))
    #expect(html.contains("أخبرنا عنك"))
  }

  @Test("Return presses the main action's button, which comes first")
  func mainAction() throws {
    let html = ExperiencePage(try screen("opinion", of: "feedback"), action: "/go").html
    let buttons = tags("button", in: html)
    #expect(buttons.first == #" class="primary" name=":action" value="send""#)
    #expect(buttons.count == 4)
  }

  @Test(
    "A form's pairs become entries: toggles that are off are missing, others' names and hidden fields are passed over")
  func input() throws {
    let account = try screen("account", of: "sign-up")
    let input = try #require(
      ExperienceInput(
        [
          (name: "email", value: "a@b.c"), (name: "email", value: "second"), (name: "role", value: "admin"),
          (name: ":action", value: "continue"), (name: "password", value: "planted-44"),
          (name: ":turn", value: "sign-up/account/0"),
        ], for: account))
    #expect(input.action == "continue")
    #expect(input.entries == ["email": "a@b.c", "password": "planted-44", "terms": "false"])
    #expect(!"\(input)".contains("planted-44"))
    let turn = (name: ":turn", value: account.turn)
    #expect(ExperienceInput([turn, (name: ":action", value: "nothing")], for: account) == nil)
    #expect(ExperienceInput([turn], for: account)?.action == "continue")
    let about = try screen("about", of: "sign-up")
    let forged = [(name: ":turn", value: about.turn), (name: "source", value: "forged")]
    #expect(try #require(ExperienceInput(forged, for: about)).entries["source"] == nil)
    #expect(ExperienceInput(forged, for: account) == nil && ExperienceInput([], for: account) == nil, "Bug-G07")
  }

  @Test("A hidden field keeps the document's value, whatever is sent")
  func hidden() throws {
    let runner = ExperienceRunner(try Fixtures.starter(), flow: "sign-up", screen: "about")
    runner.present()
    #expect(!runner.enter("forged", in: "source"))
    let checked = try #require(Fixtures.starter().check(["source": "forged"], on: "about", of: "sign-up"))
    #expect(checked.values["source"] == .text("onboarding"))
    #expect(checked.issues.keys.sorted() == ["plan"], "nothing is filled in beforehand here")
  }

  @Test("Contrast of text is at least 4.5:1 in both schemes")
  func contrast() throws {
    let roots = ExperiencePage.styleSheet.components(separatedBy: ":root {").dropFirst()
    #expect(roots.count == 2)
    for root in roots {
      var colours: [String: [Double]] = [:]
      for part in root.prefix(while: { $0 != "}" }).split(separator: ";") {
        let pair = part.split(separator: ":").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
        if pair.count == 2, pair[1].hasPrefix("#") { colours[pair[0]] = Self.channels(pair[1]) }
      }
      for (ink, ground) in [
        ("--ink", "--card"), ("--quiet", "--card"), ("--accent", "--card"), ("--on-accent", "--accent"),
        ("--bad", "--card"), ("--bad", "--bad-ground"),
      ] {
        let (first, second) = (try #require(colours[ink]), try #require(colours[ground]))
        let ratio = Self.contrast(first, second)
        #expect(ratio >= 4.5, "\(ink) on \(ground): \(ratio)")
      }
      // The borders of controls (WCAG 2.2 §1.4.11).
      #expect(Self.contrast(try #require(colours["--line"]), try #require(colours["--card"])) >= 3)
    }
  }

  private static func channels(_ colour: String) -> [Double] {
    var digits = colour.dropFirst().map { String($0) }
    if digits.count == 3 { digits = digits.flatMap { [$0, $0] } }
    return stride(from: 0, to: 6, by: 2).map { Double(Int(digits[$0] + digits[$0 + 1], radix: 16) ?? 0) / 255 }
  }

  private static func contrast(_ first: [Double], _ second: [Double]) -> Double {
    func luminance(_ colour: [Double]) -> Double {
      let linear = colour.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
      return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }
    let (light, dark) = (max(luminance(first), luminance(second)), min(luminance(first), luminance(second)))
    return (light + 0.05) / (dark + 0.05)
  }
}
