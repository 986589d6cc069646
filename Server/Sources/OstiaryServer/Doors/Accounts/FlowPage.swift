import Foundation
internal import OstiaryExperiences

/// Draws a flow document as a page that needs no script: one form for each call, and each message beside its field.
struct FlowPage: Sendable {
  let service: String

  func page(_ document: FlowDocument) -> Page {
    Page(title: title(document), content: content(document))
  }

  private func title(_ document: FlowDocument) -> String {
    switch (document.kind, document.step) {
    case (.login, .credentials): "Sign in to \(service)"
    case (.signup, .details): "Make an account at \(service)"
    case (.recover, .address): "Forgot your password?"
    case (_, .code): "Check your mail"
    case (.recover, .password): "Set a new password"
    case (.profile, _): "Your account at \(service)"
    default: service
    }
  }

  private func content(_ document: FlowDocument) -> HTML {
    let fields = document.fields.map(Self.snapshot)
    let bad = document.issues.filter { !$0.isInformation }
    var pieces = [
      HTML.problems(bad.map { ExperiencePage.Problem($0.text, code: $0.code.rawValue) }, fields: fields),
      Self.news(document.issues.filter(\.isInformation)),
    ]
    for button in document.buttons {
      switch button.target {
      case .call(let call): pieces.append(form(document, fields, button, call))
      case .flow(let kind):
        let path = FlowPaths.page(kind)
        pieces.append(
          """
          <p><a href="\(path)">\(button.label)</a></p>
          """)
      }
    }
    return HTML.joined(pieces)
  }

  /// Each call has a form of its own: it sends its own fields and no others.
  private func form(
    _ document: FlowDocument, _ fields: [FieldSnapshot], _ button: FlowButton, _ call: FlowCall
  ) -> HTML {
    let firstBad = fields.first { $0.message != nil }?.key
    let inputs = document.fields.indices.filter { button.fields.contains(document.fields[$0].name) }.map { index in
      HTML.field(
        fields[index], hasFocus: fields[index].key == firstBad,
        codes: document.fields[index].issues.map(\.code.rawValue))
    }
    let action = FlowPaths.page(document.kind)
    let kind = button.role == .secondary ? "secondary" : "primary"
    return """
      <form id="\(call.rawValue)" class="\(kind)" method="post" action="\(action)" novalidate>
      <input type="hidden" name="flow" value="\(document.id)">
      <input type="hidden" name="action" value="\(call.rawValue)">
      \(HTML.joined(inputs))
      <p><button type="submit">\(button.label)</button></p>
      </form>
      """
  }

  /// The success messages of the whole flow.
  private static func news(_ issues: [FlowIssue]) -> HTML {
    guard !issues.isEmpty else { return "" }
    let lines = issues.map { "<div data-code=\"\($0.code.rawValue)\">\($0.text)</div>" as HTML }
    return "<div role=\"status\" id=\"information\">\(HTML.joined(lines))</div>"
  }

  private static func snapshot(_ field: FlowField) -> FieldSnapshot {
    let texts = field.issues.map(\.text)
    let least = field.kind == .newPassword ? field.minimumLength.flatMap { $0 > 1 ? $0 : nil } : nil
    return FieldSnapshot(
      key: field.name, kind: kind(of: field), label: field.label, help: least.map { "At least \($0) characters." },
      value: field.value, isRequired: field.isRequired,
      constraints: Experience.Constraints(minLength: field.minimumLength, maxLength: field.maximumLength),
      autofill: field.autofill, message: texts.isEmpty ? nil : texts.joined(separator: " "))
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

  private var room: FrontRoomPages { FrontRoomPages(service: service) }

  /// The page of the signed-in user, with their actions.
  func home(_ user: User, logoutToken: String) -> Page {
    room.home(
      user: user.displayName, signOut: FlowPaths.logout, token: logoutToken,
      more: "<p><a href=\"\(FlowPaths.page(.profile))\">Change the account</a></p>")
  }

  /// The page without a session.
  func nobody(offersSignUp: Bool) -> Page {
    room.nobody(
      signIn: FlowPaths.page(.login),
      more: offersSignUp ? "<p><a href=\"\(FlowPaths.page(.signup))\">Create an account</a></p>" : "")
  }

  /// The page after the session's end.
  var signedOut: Page { room.signedOut(signIn: FlowPaths.page(.login)) }

  /// A sign-out form that belongs to another browser.
  var expired: Page { room.expired(FlowIssue.Code.flowUnknown.rawValue, next: FlowPaths.home) }
}
