extension PageTexts {
  /// A text whose values are markup, such as a name in an element of its own.
  func callAsFunction(_ text: ServerText, _ values: [String: HTML]) -> HTML { Self.markup(self(text), values) }

  /// The sentence that names the signed-in user.
  /// - Parameter user: The name, in an element of its own: it may be in another script than the sentence.
  func signedIn(as user: HTML) -> HTML {
    Self.markup(account(.signedInAs, ["user": "{{user}}"]), ["user": user])
  }

  /// A text with its values. These are put in as they are: what looks like a value within one is none.
  private static func markup(_ text: String, _ values: [String: HTML]) -> HTML {
    var markup: HTML = ""
    for part in PageTables.parts(of: text) {
      let value: HTML = part.value.flatMap { values[$0] } ?? ""
      markup = "\(markup)\(value)\(part.text)"
    }
    return markup
  }
}

extension Page {
  /// A page in the language of its texts.
  /// - Parameter heading: what stands above it; by default the title.
  init(title: String, heading: String? = nil, in texts: PageTexts, head: HTML = "", content: HTML) {
    self.init(
      title: title, heading: heading, language: texts.language, isRightToLeft: texts.isRightToLeft, head: head,
      content: content)
  }
}
