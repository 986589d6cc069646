import Foundation
internal import OstiaryExperiences

/// Draws a flow document as a page that needs no script: one form for each call, and each message beside its field.
struct FlowPage: Sendable {
  let service: String

  /// - Parameter next: Where a person goes on who is signed in already.
  func page(_ document: FlowDocument, next: String? = nil) -> Page {
    let texts = AccountTexts(document.language)
    let heading = title(document, texts)
    var content = content(document, texts)
    if let next, document.step == .done {
      content = HTML.joined([content, "<p><a class=\"button\" href=\"\(next)\">\(texts(.goOn))</a></p>"])
    }
    let told = Self.told(heading, document.allIssues, texts)
    return Page(title: told, heading: heading, in: texts, content: content)
  }

  /// The title of a page: a window's name, and what is read out first. It begins with what has happened.
  private static func told(_ heading: String, _ issues: [FlowIssue], _ texts: AccountTexts) -> String {
    guard issues.allSatisfy(\.isInformation) else { return "\(texts.words.problem): \(heading)" }
    // That a code was sent is the page's heading.
    let news = issues.filter { $0.code != .codeSent }.map { $0.text(in: texts) }
    return (news + [heading]).joined(separator: " – ")
  }

  private func title(_ document: FlowDocument, _ texts: AccountTexts) -> String {
    switch (document.kind, document.step) {
    case (.login, .credentials): texts(.signInTitle, service: service)
    case (.signup, .details): texts(.signUpTitle, service: service)
    case (.recover, .address): texts(.recoverTitle)
    case (_, .code): texts(.codeTitle)
    case (.recover, .password): texts(.passwordTitle)
    case (.profile, _): texts(.profileTitle, service: service)
    default: service
    }
  }

  private func content(_ document: FlowDocument, _ texts: AccountTexts) -> HTML {
    let fields = document.fields.map { Self.snapshot($0, texts) }
    let bad = document.issues.filter { !$0.isInformation }
    var pieces = [
      HTML.problems(
        bad.map {
          let language = $0.isForAuthors && texts.language != AccountTexts.standard ? AccountTexts.standard : nil
          return ExperiencePage.Problem($0.text(in: texts), code: $0.code.rawValue, language: language)
        }, fields: fields, words: texts.words),
      Self.news(document.issues.filter(\.isInformation), texts),
    ]
    for button in document.buttons {
      switch button.target {
      case .call(let call): pieces.append(form(document, fields, button, call, texts))
      case .flow(let kind):
        let path = FlowPaths.page(kind)
        pieces.append(
          """
          <p><a href="\(path)">\(texts(button.label))</a></p>
          """)
      }
    }
    return HTML.joined(pieces)
  }

  /// Each call has a form of its own: it sends its own fields and no others.
  private func form(
    _ document: FlowDocument, _ fields: [FieldSnapshot], _ button: FlowButton, _ call: FlowCall, _ texts: AccountTexts
  ) -> HTML {
    let firstBad = fields.first { $0.message != nil }?.key
    let inputs = document.fields.indices.filter { button.fields.contains(document.fields[$0].name) }.map { index in
      HTML.field(
        fields[index], words: texts.words, hasFocus: fields[index].key == firstBad,
        codes: document.fields[index].issues.map(\.code.rawValue))
    }
    let action = FlowPaths.page(document.kind)
    let kind = button.role == .secondary ? "secondary" : "primary"
    return """
      <form id="\(call.rawValue)" class="\(kind)" method="post" action="\(action)" novalidate>
      <input type="hidden" name="flow" value="\(document.id)">
      <input type="hidden" name="turn" value="\(String(document.turn))">
      <input type="hidden" name="action" value="\(call.rawValue)">
      \(HTML.joined(inputs))
      <p><button type="submit">\(texts(button.label))</button></p>
      </form>
      """
  }

  /// The success messages of the whole flow.
  private static func news(_ issues: [FlowIssue], _ texts: AccountTexts) -> HTML {
    guard !issues.isEmpty else { return "" }
    let lines = issues.map { "<div data-code=\"\($0.code.rawValue)\">\($0.text(in: texts))</div>" as HTML }
    return "<div role=\"status\" id=\"information\">\(HTML.joined(lines))</div>"
  }

  private static func snapshot(_ field: FlowField, _ texts: AccountTexts) -> FieldSnapshot {
    let messages = field.issues.map { $0.text(in: texts) }
    let least = field.kind == .newPassword ? field.minimumLength.flatMap { $0 > 1 ? $0 : nil } : nil
    return FieldSnapshot(
      key: field.name, kind: kind(of: field), label: texts(field.label),
      help: least.map { texts(.newPasswordHelp, number: $0) },
      value: field.value, isRequired: field.isRequired,
      constraints: Experience.Constraints(minLength: field.minimumLength, maxLength: field.maximumLength),
      autofill: field.autofill, message: messages.isEmpty ? nil : messages.joined(separator: " "))
  }

  private static func kind(of field: FlowField) -> Experience.FieldKind {
    switch field.kind {
    case .text: .text
    case .email: .email
    case .password: .password
    case .newPassword: .newPassword
    case .oneTimeCode: .oneTimeCode
    }
  }

  // MARK: Other pages

  private func room(_ texts: AccountTexts) -> FrontRoomPages {
    FrontRoomPages(service: service, texts: PageTexts(account: texts))
  }

  /// The page of the signed-in user, with their actions.
  /// - Parameter news: What has just happened.
  func home(_ user: User, logoutToken: String, news: FlowIssue?, in texts: AccountTexts) -> Page {
    let news = [news].compactMap { $0 }
    return room(texts).home(
      user: user.displayName, signOut: FlowPaths.logout, token: logoutToken,
      title: Self.told(service, news, texts), news: Self.news(news, texts),
      more: "<p><a href=\"\(FlowPaths.page(.profile))\">\(texts(.changeAccount))</a></p>")
  }

  /// The page without a session.
  func nobody(offersSignUp: Bool, in texts: AccountTexts) -> Page {
    room(texts).nobody(
      signIn: FlowPaths.page(.login),
      more: offersSignUp ? "<p><a href=\"\(FlowPaths.page(.signup))\">\(texts(.makeAccount))</a></p>" : "")
  }

  /// The page after the session's end.
  func signedOut(in texts: AccountTexts) -> Page { room(texts).signedOut(signIn: FlowPaths.page(.login)) }

  /// A sign-out form that belongs to another browser.
  func expired(in texts: AccountTexts) -> Page {
    room(texts).expired(FlowIssue.Code.flowUnknown.rawValue, next: FlowPaths.home)
  }
}

extension Page {
  /// A page in the language of its texts.
  init(title: String, heading: String? = nil, in texts: AccountTexts, content: HTML) {
    self.init(
      title: title, heading: heading, language: texts.language, isRightToLeft: texts.isRightToLeft, content: content)
  }
}
