import Foundation

@testable import OstiaryServer

/// What the markup of every page has to keep to (WCAG 2.2 AA, where axe sees nothing or only a part).
enum PageRules {
  /// What a control may say about filling it in: what this server's pages ask for (HTML, section "Autofill field").
  private static let autofill: Set = [
    "username", "current-password", "new-password", "one-time-code", "email", "name", "given-name", "family-name",
    "tel", "bday", "organization", "off",
  ]
  private static let secrets: Set = ["current-password", "new-password"]

  /// What is wrong with a page, in sentences.
  static func problems(_ source: String, of page: PageCase, language: String) -> [String] {
    let markup = PageMarkup(source)
    return whole(markup, page, language) + names(markup) + entries(markup, page) + errors(markup, page)
  }

  /// §2.4.2, §2.4.6, §3.1.1, §4.1.1: title, heading, language and direction; ids.
  private static func whole(_ markup: PageMarkup, _ page: PageCase, _ language: String) -> [String] {
    var problems: [String] = []
    let wanted = page.language(language)
    let isRightToLeft = ["ar", "he"].contains(wanted)
    if markup.root?["lang"] != wanted { problems.append("its language is \(markup.root?["lang"] ?? "none")") }
    if (markup.root?["dir"] ?? "ltr") != (isRightToLeft ? "rtl" : "ltr") { problems.append("its direction is wrong") }
    let headings = markup.all("h1").map(\.text)
    if headings.count != 1 || headings[0].isEmpty { problems.append("it has no one heading") }
    if markup.title.isEmpty || !markup.title.contains(headings.first ?? "?") {
      problems.append("its title is \(markup.title)")
    }
    if markup.all("main").count != 1 { problems.append("it has no one main part") }
    let ids = markup.elements.compactMap { $0["id"] }
    if Set(ids).count < ids.count { problems.append("an id is there twice: \(ids)") }
    for element in markup.elements {
      if let order = element["tabindex"], order != "0", order != "-1" { problems.append("an order of its own") }
      if let script = element.attributes.keys.first(where: { $0.hasPrefix("on") }) {
        problems.append("\(element.name) has \(script)")
      }
      if element["lang"] == "" { problems.append("\(element.name) names no language") }
    }
    if markup.elements.count(where: { $0["autofocus"] != nil }) > 1 { problems.append("the focus is in two places") }
    return problems
  }

  /// §2.4.4, §3.3.2, §4.1.2: everything that can have the focus has a name, and what it refers to is there.
  private static func names(_ markup: PageMarkup) -> [String] {
    var problems: [String] = []
    for target in markup.targets {
      let what = "\(target.name) \(target["name"] ?? target["id"] ?? target.text)"
      if markup.name(of: target).isEmpty { problems.append("\(what) has no name") }
      if target.isControl, markup.labels(of: target).count != 1 { problems.append("\(what) has no one label") }
      for id in target.ids("aria-describedby") where markup.element(id)?.text.isEmpty != false {
        problems.append("\(what) is described by nothing: \(id)")
      }
      if target.isLink, let href = target["href"], href.hasPrefix("#"), markup.element(String(href.dropFirst())) == nil
      {
        problems.append("\(what) leads nowhere")
      }
    }
    return problems
  }

  /// §1.3.5, §3.3.7, §3.3.8: browsers and password managers can fill in, nothing keeps a person from pasting, and what was typed
  /// is there still, secrets excepted.
  private static func entries(_ markup: PageMarkup, _ page: PageCase) -> [String] {
    var problems: [String] = []
    for control in markup.controls {
      let what = "\(control.name) \(control["name"] ?? "?")"
      let autofill = control["autocomplete"]
      if let autofill, !Self.autofill.contains(autofill) { problems.append("\(what) has the autofill \(autofill)") }
      if control["type"] == "password" {
        if !secrets.contains(autofill ?? "") { problems.append("\(what) is no password manager's") }
        if control["value"]?.isEmpty == false { problems.append("\(what) shows a secret") }
      } else if control["type"] == "email", !["email", "username"].contains(autofill) {
        problems.append("\(what) is filled in by nothing")
      } else if secrets.contains(autofill ?? "") {
        problems.append("\(what) shows a secret while it is typed")
      }
      for attribute in ["maxlength", "readonly", "disabled"] where control[attribute] != nil {
        problems.append("\(what) has \(attribute)")
      }
      if let kept = control["name"].flatMap({ page.kept[$0] }), control["value"] != kept {
        problems.append("\(what) has lost \(kept)")
      }
    }
    for name in page.kept.keys where !markup.controls.contains(where: { $0["name"] == name }) {
      problems.append("there is no \(name)")
    }
    // A password stands beside a name that a manager can tell, unless the person is known.
    let kinds = Set(markup.controls.compactMap { $0["autocomplete"] })
    let isSignIn = kinds.contains("current-password") && !kinds.contains("new-password")
    if isSignIn, kinds.isDisjoint(with: ["username", "email"]) {
      problems.append("no name stands beside the password")
    }
    return problems
  }

  /// §3.3.1, §3.3.3, §4.1.3: what is wrong is told, in the title and beside the field too, and the focus is where the person
  /// goes on.
  private static func errors(_ markup: PageMarkup, _ page: PageCase) -> [String] {
    var problems: [String] = []
    let invalid = markup.controls.filter { $0["aria-invalid"] == "true" }
    let alert = markup.elements.first { $0["role"] == "alert" }
    let isExperience = page.page.hasPrefix("experience ")
    if !isExperience, invalid.compactMap({ $0["name"] }) != page.invalid {
      problems.append("wrong are said to be \(invalid.compactMap { $0["name"] })")
    }
    for control in invalid where control.ids("aria-describedby").isEmpty {
      problems.append("\(control["name"] ?? "?") is not told what is wrong")
    }
    let hasForm = !markup.controls.isEmpty
    if page.state == .refused, page.wording == .reader, hasForm {
      if alert?.text.isEmpty != false { problems.append("nobody is told that something is wrong") }
      // The title is what a screen reader says of the page that follows.
      let heading = markup.all("h1").first?.text ?? "?"
      if markup.title.hasPrefix(heading) { problems.append("its title says nothing of what is wrong") }
      let focused = markup.controls.first { $0["autofocus"] != nil }
      if let first = invalid.first, focused?["name"] != first["name"] {
        problems.append("the focus is not on the error")
      }
    }
    if page.state != .refused, !invalid.isEmpty || alert != nil { problems.append("something is said to be wrong") }
    return problems
  }
}
