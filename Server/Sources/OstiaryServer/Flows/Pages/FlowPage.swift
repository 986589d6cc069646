import Foundation

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
    var pieces = [Self.issues(document.issues)]
    for button in document.buttons {
      switch button.target {
      case .call(let call): pieces.append(form(document, button, call))
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

  private func form(_ document: FlowDocument, _ button: FlowButton, _ call: FlowCall) -> HTML {
    let fields = button.fields.compactMap { name in document.fields.first { $0.name == name } }
    let firstBad = document.fields.first { !$0.issues.isEmpty }?.name
    let inputs = fields.map { Self.input($0, isFocused: $0.name == firstBad) }
    let action = FlowPaths.page(document.kind)
    let kind = call == .resend ? "secondary" : "primary"
    return """
      <form id="\(call.rawValue)" class="\(kind)" method="post" action="\(action)" novalidate>
      <input type="hidden" name="flow" value="\(document.id)">
      <input type="hidden" name="action" value="\(call.rawValue)">
      \(HTML.joined(inputs))
      <p><button type="submit">\(button.label)</button></p>
      </form>
      """
  }

  /// What is about the whole, good news apart from bad.
  static func issues(_ issues: [FlowIssue]) -> HTML {
    let bad = issues.filter { !$0.isInformation }
    let good = issues.filter(\.isInformation)
    func line(_ issue: FlowIssue) -> HTML { "<div data-code=\"\(issue.code.rawValue)\">\(issue.text)</div>" }
    var pieces: [HTML] = []
    if !bad.isEmpty {
      pieces.append("<div role=\"alert\" id=\"error\">\(HTML.joined(bad.map(line)))</div>")
    }
    if !good.isEmpty {
      pieces.append("<div role=\"status\" id=\"information\">\(HTML.joined(good.map(line)))</div>")
    }
    return HTML.joined(pieces)
  }

  private static func input(_ field: FlowField, isFocused: Bool) -> HTML {
    let id = "field-\(field.name)"
    let note = "note-\(field.name)"
    let isBad = !field.issues.isEmpty
    let described: HTML = isBad ? " aria-invalid=\"true\" aria-describedby=\"\(note)\"" : ""
    let required: HTML = field.isRequired ? " required" : ""
    // A browser cuts what is longer without a word, also where it is pasted; a password must never be cut.
    let maximum: HTML = field.kind.isSecret ? "" : "maxlength=\"\(String(field.maximumLength))\""
    let minimum: HTML = field.minimumLength.map { " minlength=\"\(String($0))\"" } ?? ""
    let value: HTML = field.value.map { " value=\"\($0)\"" } ?? ""
    let focus: HTML = isFocused ? " autofocus" : ""
    let messages: HTML =
      isBad
      ? """
      <div id="\(note)" class="issue">\(HTML.joined(field.issues.map { issue in
        "<span data-code=\"\(issue.code.rawValue)\">\(issue.text)</span>"
      }))</div>
      """ : ""
    return """
      <label for="\(id)">\(field.label)</label>
      <input id="\(id)" name="\(field.name)" \(type(of: field)) autocomplete="\(field.autofill)"
        \(maximum)\(minimum)\(required)\(value)\(described)\(focus) dir="auto">
      \(messages)
      """
  }

  private static func type(of field: FlowField) -> HTML {
    switch field.kind {
    case .text where field.autofill == "username": "type=\"text\" autocapitalize=\"none\" spellcheck=\"false\""
    case .text: "type=\"text\""
    case .email: "type=\"email\" inputmode=\"email\" autocapitalize=\"none\" spellcheck=\"false\""
    case .password, .newPassword: "type=\"password\""
    case .oneTimeCode: "type=\"text\" inputmode=\"numeric\" spellcheck=\"false\""
    }
  }

  // MARK: Other pages

  /// Who is signed in, and what they can do.
  func home(_ user: User, logoutToken: String) -> Page {
    Page(
      title: service,
      content: """
        <p>You are signed in as <strong id="user" dir="auto">\(user.displayName)</strong>.</p>
        <p><a href="\(FlowPaths.page(.profile))">Change the account</a></p>
        <form id="logout" method="post" action="\(FlowPaths.logout)">
        <input type="hidden" name="token" value="\(logoutToken)">
        <p><button type="submit">Sign out</button></p>
        </form>
        """)
  }

  /// Nobody is signed in.
  func nobody(offersSignUp: Bool) -> Page {
    let signUp: HTML =
      offersSignUp ? "<p><a href=\"\(FlowPaths.page(.signup))\">Create an account</a></p>" : ""
    return Page(
      title: service,
      content: """
        <p>You are not signed in.</p>
        <p><a class="button" href="\(FlowPaths.page(.login))">Sign in</a></p>
        \(signUp)
        """)
  }

  /// It is over.
  var signedOut: Page {
    Page(
      title: "Signed out",
      content: """
        <p id="signed-out">You have signed out.</p>
        <p><a class="button" href="\(FlowPaths.page(.login))">Sign in again</a></p>
        """)
  }

  /// A form for signing out that isn't this browser's.
  var expired: Page {
    Page(
      title: "This page has expired",
      content: """
        <div role="alert"><div id="error" data-code="flow.unknown">Nothing has been done.</div></div>
        <p><a class="button" href="\(FlowPaths.home)">Continue</a></p>
        """)
  }
}
