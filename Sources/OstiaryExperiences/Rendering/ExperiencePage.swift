/// A screen as a page of HTML that needs no script: one form, whose buttons are the actions.
///
/// Every text is escaped. What is wrong stands at the top with links and beside its field, which names it
/// (`aria-describedby`, `aria-invalid`); the first such field has the focus. Values of secure fields never come back.
/// Styles stand in one element, so that a strict content security policy can name it by a nonce or a hash.
///
/// ```swift
/// let moment = await runner.settled()
/// let page = ExperiencePage(moment.screen, action: "/join", hidden: [(name: ":flow", value: token)], nonce: nonce)
/// respond(page.html)
/// // … and when the form comes back:
/// if let input = ExperienceInput(pairs, for: runner.snapshot.screen) { await runner.submit(input) }
/// ```
///
/// A form names the showing of its screen. One that is sent twice, or after a step back, is none of the screen that is
/// shown then: nothing is done with it, and the page that follows shows what the first one led to.
public struct ExperiencePage: Sendable {
  /// The name under which the form sends the chosen action's id. No field's key can be the same.
  public static let actionName = ":action"

  /// The name under which the form sends the showing that it was drawn for.
  public static let turnName = ":turn"

  private let screen: ScreenSnapshot
  private let address: String
  private let hidden: [(name: String, value: String)]
  private let style: Style
  private let news: [Problem]
  private let links: [String: String]
  private let site: String?

  /// Where the page's styles are.
  public enum Style: Sendable, Hashable {
    /// In the page, in an element with this nonce; without one, name ``ExperiencePage/styleSheet`` by its hash.
    case inline(nonce: String? = nil)
    /// At an address.
    case linked(String)
    /// Nowhere.
    case none
  }

  /// Makes a page.
  /// - Parameters:
  ///   - screen: what to draw.
  ///   - address: where the form is sent.
  ///   - hidden: what goes along, such as a token against forged requests. Begin names with a colon: no field's key does.
  ///   - style: where the page's styles are.
  ///   - news: what has succeeded before this screen, such as a changed password: it is told at the top and in the title.
  ///   - links: the addresses of actions that lead to pages of their own, by the action's id: such an action is a link, and sends
  ///     nothing. An action that sends what was entered stays a button.
  ///   - site: whose page it is: it ends the title.
  public init(
    _ screen: ScreenSnapshot, action address: String, hidden: [(name: String, value: String)] = [],
    style: Style = .inline(), news: [Problem] = [], links: [String: String] = [:], site: String? = nil
  ) {
    self.screen = screen
    self.address = address
    self.hidden = hidden
    self.style = style
    self.news = news
    self.links = links
    self.site = site
  }

  /// The whole document.
  public var html: String {
    var page = PageText()
    let title = [screen.title ?? screen.id, site].compactMap { $0 }.joined(separator: " – ")
    let hasProblem = !screen.messages.isEmpty || screen.firstInvalidField != nil
    page.open(
      "<!DOCTYPE html>\n<html lang=\"", screen.language, "\" dir=\"\(screen.isRightToLeft ? "rtl" : "ltr")\">\n")
    page.add("<head>\n<meta charset=\"utf-8\">\n")
    page.add("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
    page.add("<meta name=\"color-scheme\" content=\"light dark\">\n<title")
    page.add(language: hasProblem || !news.isEmpty ? nil : screen.otherLanguages["title"])
    page.add(">")
    if hasProblem {
      page.add(text: screen.words.problem + ": ")
    } else if let first = news.first {
      page.add(text: first.text + " – ")
    }
    page.add(text: title)
    page.add("</title>\n")
    addStyle(to: &page)
    page.add("</head>\n<body>\n<main>\n")
    page.add(body)
    page.add("</main>\n</body>\n</html>\n")
    return page.source
  }

  /// The heading and the form, for a page of your own.
  public var fragment: String {
    var page = PageText()
    page.add(body)
    return page.source
  }

  private func addStyle(to page: inout PageText) {
    switch style {
    case .none: break
    case .linked(let address): page.open("<link rel=\"stylesheet\" href=\"", address, "\">\n")
    case .inline(let nonce):
      if let nonce { page.open("<style nonce=\"", nonce, "\">") } else { page.add("<style>") }
      page.add(Self.styleSheet)
      page.add("</style>\n")
    }
  }

  private var body: PageText {
    var page = PageText()
    if let title = screen.title { Self.add("h1", title, screen.otherLanguages["title"], to: &page) }
    let problems = screen.messages.map { Problem($0, language: screen.messageLanguages[$0]) }
    Self.add(problems, fields: screen.fields, words: screen.words, to: &page)
    Self.add(news: news, to: &page)
    if let text = screen.text { Self.add("p", text, screen.otherLanguages["text"], to: &page) }
    // The browser's own checks would stop the form before our messages can be shown.
    page.open("<form method=\"post\" action=\"", address, "\" novalidate>\n")
    for (name, value) in [(name: Self.turnName, value: screen.turn)] + hidden {
      page.open("<input type=\"hidden\" name=\"", name, "\" value=\"")
      page.open("", value, "\">\n")
    }
    let focus = screen.firstInvalidField?.key
    for field in screen.fields where field.kind != .hidden {
      page.add(PageField(field, words: screen.words, hasFocus: field.key == focus).html)
    }
    // Return in a field presses the form's first button, so that has to be the main one.
    let main = screen.mainAction
    for action in screen.actions where action.id == main?.id { addButton(action, to: &page) }
    for action in screen.actions where action.id != main?.id { addButton(action, to: &page) }
    page.add("</form>\n")
    return page
  }

  private func addButton(_ action: ActionSnapshot, to page: inout PageText) {
    if let address = links[action.id], !action.submits {
      page.open("<a class=\"\(action.style.rawValue)\" href=\"", address, "\"")
      page.add(language: action.language)
      return page.open(">", action.label, "</a>\n")
    }
    page.open("<button class=\"\(action.style.rawValue)\" name=\"\(Self.actionName)\" value=\"", action.id, "\"")
    page.add(language: action.language)
    page.open(">", action.label, "</button>\n")
  }
}
