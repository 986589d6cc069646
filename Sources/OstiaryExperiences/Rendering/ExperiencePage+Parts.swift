/// Parts of a page, for a page of your own that holds more than one form, or none of a document's. They look as
/// ``styleSheet`` says. All of them are finished markup: texts in it are escaped.
extension ExperiencePage {
  /// Something that is wrong, or has succeeded, as a page says it.
  public struct Problem: Sendable, Hashable {
    /// What is said.
    public var text: String
    /// A stable code of it, which stands in the page as `data-code`.
    public var code: String?
    /// The text's language, where it is not the page's.
    public var language: String?

    /// Makes a problem, or a success.
    public init(_ text: String, code: String? = nil, language: String? = nil) {
      self.text = text
      self.code = code
      self.language = language
    }
  }

  /// One field: its label, control, help and message, tied to each other (`for`, `aria-describedby`, `aria-invalid`).
  /// - Parameters:
  ///   - field: what to draw; a hidden one is drawn as text.
  ///   - words: what stands beside a field that may stay empty, and for no choice.
  ///   - hasFocus: whether the page opens with the focus here.
  ///   - codes: stable codes of what is wrong, which stand in the page as `data-code`.
  public static func field(
    _ field: FieldSnapshot, words: ScreenSnapshot.Words, hasFocus: Bool = false, codes: [String] = []
  ) -> String {
    PageField(field, words: words, hasFocus: hasFocus, codes: codes).html.source
  }

  /// What is wrong, for the top of a page: what is about the whole, and a link to each field that has a message. It is
  /// read out when the page is shown (`role="alert"`).
  /// - Returns: Nothing where nothing is wrong.
  public static func problems(
    _ problems: [Problem], fields: [FieldSnapshot], words: ScreenSnapshot.Words
  ) -> String {
    var page = PageText()
    add(problems, fields: fields, words: words, to: &page)
    return page.source
  }

  /// A text, escaped for content and for attribute values in quotes.
  public static func escape(_ text: String) -> String {
    var page = PageText()
    page.add(text: text)
    return page.source
  }

  /// Adds an element with a text.
  static func add(_ element: String, _ text: String, _ language: String?, to page: inout PageText) {
    page.add("<\(element)")
    page.add(language: language)
    page.open(">", text, "</\(element)>\n")
  }

  /// Adds a text within a line, in an element of its own only where its language needs one.
  static func addSpan(_ text: String, _ language: String?, to page: inout PageText) {
    guard let language else { return page.add(text: text) }
    page.add("<span")
    page.add(language: language)
    page.open(">", text, "</span>")
  }

  static func add(
    _ problems: [Problem], fields: [FieldSnapshot], words: ScreenSnapshot.Words, to page: inout PageText
  ) {
    let invalid = fields.filter { $0.message != nil && $0.kind != .hidden }
    guard !problems.isEmpty || !invalid.isEmpty else { return }
    page.add("<div class=\"problems\" role=\"alert\">\n<p><strong")
    page.add(language: words.otherLanguages["problem"])
    page.open(">", words.problem, "</strong></p>\n<ul>\n")
    for problem in problems {
      page.add("<li")
      if let code = problem.code { page.open(" data-code=\"", code, "\"") }
      page.add(language: problem.language)
      page.open(">", problem.text, "</li>\n")
    }
    for field in invalid {
      page.open("<li><a href=\"#field-", field.key, "\">")
      addSpan(field.label, field.otherLanguages["label"], to: &page)
      page.add(": ")
      addSpan(field.message ?? "", field.otherLanguages["message"], to: &page)
      page.add("</a></li>\n")
    }
    page.add("</ul>\n</div>\n")
  }
  /// What has succeeded, for the top of a page. It is read out when the reader has the time (`role="status"`).
  static func add(news: [Problem], to page: inout PageText) {
    guard !news.isEmpty else { return }
    page.add("<div class=\"news\" role=\"status\">\n")
    for piece in news {
      page.add("<p")
      if let code = piece.code { page.open(" data-code=\"", code, "\"") }
      page.add(language: piece.language)
      page.open(">", piece.text, "</p>\n")
    }
    page.add("</div>\n")
  }
}
