/// One field of a page: label, control, help and message.
struct PageField {
  private let field: FieldSnapshot
  private let words: ScreenSnapshot.Words
  private let hasFocus: Bool
  private let codes: [String]

  init(_ field: FieldSnapshot, words: ScreenSnapshot.Words, hasFocus: Bool, codes: [String] = []) {
    self.field = field
    self.words = words
    self.hasFocus = hasFocus
    self.codes = codes
  }

  var html: PageText {
    var page = PageText()
    page.add(
      "<div class=\"field\(field.kind == .toggle ? " toggle" : "")\(field.message == nil ? "" : " invalid")\">\n")
    if field.kind == .toggle {
      addToggle(to: &page)
      addLabel(to: &page)
    } else {
      addLabel(to: &page)
    }
    if let help = field.help {
      page.open("<p class=\"help\" id=\"help-", field.key, "\"")
      page.add(language: field.otherLanguages["help"])
      page.open(">", help, "</p>\n")
    }
    if let message = field.message {
      page.open("<p class=\"message\" id=\"message-", field.key, "\"")
      if !codes.isEmpty { page.open(" data-code=\"", codes.joined(separator: " "), "\"") }
      page.add(language: field.otherLanguages["message"])
      page.open(">", message, "</p>\n")
    }
    switch field.kind {
    case .toggle: break
    case .choice: addChoice(to: &page)
    default: addInput(to: &page)
    }
    page.add("</div>\n")
    return page
  }

  private func addLabel(to page: inout PageText) {
    page.open("<label for=\"field-", field.key, "\">")
    ExperiencePage.addSpan(field.label, field.otherLanguages["label"], to: &page)
    if !field.isRequired, field.kind != .toggle {
      page.add(" <span class=\"optional\"")
      page.add(language: words.otherLanguages["optional"])
      page.open(">(", words.optional, ")</span>")
    }
    page.add("</label>\n")
  }

  /// What all controls have: name, description, state, and hints for password managers.
  private func addCommon(to page: inout PageText) {
    page.open(" id=\"field-", field.key, "\"")
    page.open(" name=\"", field.key, "\"")
    if field.isRequired { page.add(" required") }
    if let autofill = field.autofill ?? (field.isSecure ? "off" : nil) { page.open(" autocomplete=\"", autofill, "\"") }
    var descriptions: [String] = []
    if field.help != nil { descriptions.append("help-\(field.key)") }
    if field.message != nil { descriptions.append("message-\(field.key)") }
    if !descriptions.isEmpty {
      page.open(" aria-describedby=\"", descriptions.joined(separator: " "), "\"")
    }
    if field.message != nil { page.add(" aria-invalid=\"true\"") }
    if hasFocus { page.add(" autofocus") }
  }

  private func addToggle(to page: inout PageText) {
    page.add("<input type=\"checkbox\" value=\"true\"")
    addCommon(to: &page)
    page.add(field.isOn ? " checked>\n" : ">\n")
  }

  private func addChoice(to page: inout PageText) {
    page.add("<select")
    addCommon(to: &page)
    page.add(">\n")
    page.add("<option value=\"\"\(field.value == nil ? " selected" : "")")
    page.add(language: words.otherLanguages["choose"])
    page.open(">", words.choose, "</option>\n")
    for option in field.options {
      page.open("<option value=\"", option.value, "\"\(option.value == field.value ? " selected" : "")")
      page.add(language: option.language)
      page.open(">", option.label, "</option>\n")
    }
    page.add("</select>\n")
  }

  private func addInput(to page: inout PageText) {
    page.add("<input type=\"\(type)\"")
    addCommon(to: &page)
    switch field.kind {
    // Signs would change sides in a page that is read from right to left.
    case .number: page.add(" inputmode=\"decimal\" dir=\"ltr\"")
    case .oneTimeCode: page.add(" autocapitalize=\"characters\" spellcheck=\"false\" dir=\"ltr\"")
    case .email: page.add(" inputmode=\"email\" autocapitalize=\"none\" spellcheck=\"false\" dir=\"auto\"")
    case .text where field.autofill == "username":
      page.add(" autocapitalize=\"none\" spellcheck=\"false\" dir=\"auto\"")
    case .text: page.add(" dir=\"auto\"")
    default: break
    }
    if case .day(let first) = field.constraints.minimum { page.add(" min=\"\(first)\"") }
    if case .day(let last) = field.constraints.maximum { page.add(" max=\"\(last)\"") }
    // A browser would cut what is longer without a word, passwords too, so there is no maxlength.
    if let least = field.constraints.minLength { page.add(" minlength=\"\(least)\"") }
    if let placeholder = field.placeholder { page.open(" placeholder=\"", placeholder, "\"") }
    if !field.isSecure, let value = field.value { page.open(" value=\"", value, "\"") }
    page.add(">\n")
  }

  private var type: String {
    switch field.kind {
    case .email: "email"
    case .phone: "tel"
    case .date: "date"
    case .password, .newPassword: "password"
    // Meant to be read while it is typed; it is good for minutes.
    case .oneTimeCode: "text"
    default: field.isSecure ? "password" : "text"
    }
  }
}
