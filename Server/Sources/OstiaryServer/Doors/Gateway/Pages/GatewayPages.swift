/// The gateway's pages. What programs look for (actions, names of fields, sentences) is as the style has it; the looks are the
/// house's.
struct GatewayPages: Sendable {
  let configuration: GatewayDoorConfiguration
  let names: GatewayNames

  /// What a login page says above the form.
  enum Notice: Sendable {
    case none, failed, expired
  }

  /// What goes into a login form.
  struct Form: Sendable {
    let action: String
    let token: String?
    let target: String
    let notice: Notice
  }

  /// The login page.
  func login(_ form: Form) -> Page {
    switch configuration.style {
    case .ostiary: ownLogin(form)
    case .webSEAL: webSEALLogin(form)
    case .ltpa, .classic: securityCheckLogin(form)
    }
  }

  private func ownLogin(_ form: Form) -> Page {
    Page(
      title: "Sign in to \(configuration.name)",
      content: """
        \(notice(form.notice))
        <form id="login" method="post" action="\(form.action)">
        \(Self.hidden("token", form.token))
        \(Self.hidden("target", form.target))
        <label for="username">User name</label>
        <input id="username" name="username" type="text" autocomplete="username" autocapitalize="none"
          spellcheck="false" required>
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="current-password" required>
        <button type="submit">Sign in</button>
        </form>
        """)
  }

  private func notice(_ notice: Notice) -> HTML {
    switch notice {
    case .none: ""
    case .failed:
      """
      <div role="alert"><div id="error" data-code="refused">The user name or the password is wrong.</div></div>
      """
    case .expired:
      """
      <div role="alert"><div id="error" data-code="expired">This page has expired. Please try again.</div></div>
      """
    }
  }

  /// A hidden field, unless it would be empty.
  static func hidden(_ name: StaticString, _ value: String?) -> HTML {
    guard let value, !value.isEmpty else { return "" }
    let field = name.description
    return """
      <input type="hidden" name="\(field)" value="\(value)">
      """
  }

  // MARK: Afterwards

  /// It worked.
  func signedIn(name: String?) -> Page {
    let who: HTML = name.map { " as <strong id=\"user\">\($0)</strong>" } ?? ""
    return Page(title: "Signed in", content: "<p id=\"success\">You are signed in\(who).</p>")
  }

  /// Who is signed in, and the way out.
  func home(user: String, logout: String, token: String) -> Page {
    Page(
      title: configuration.name,
      content: """
        <p>You are signed in as <strong id="user">\(user)</strong>.</p>
        <form id="logout" method="post" action="\(logout)">
        \(Self.hidden("token", token))
        <button type="submit">Sign out</button>
        </form>
        """)
  }

  /// Nobody is signed in.
  func nobody(login: String) -> Page {
    Page(
      title: configuration.name,
      content: """
        <p>You are not signed in.</p>
        <p><a class="button" href="\(login)">Sign in</a></p>
        """)
  }

  /// It is over.
  var signedOut: Page {
    Page(
      title: "Signed out",
      content: """
        <p id="signed-out">You have signed out.</p>
        <p><a class="button" href="\(names.loginPage)">Sign in again</a></p>
        """)
  }

  /// A form that is too old, or somebody else's.
  func expired(_ next: String) -> Page {
    Page(
      title: "This page has expired",
      content: """
        <div role="alert"><div id="error" data-code="expired">Nothing has been done.</div></div>
        <p><a class="button" href="\(next)">Continue</a></p>
        """)
  }

  /// The account has to wait, as the imitated styles say it.
  var locked: Page {
    Page(
      title: "Account locked",
      content: """
        <div role="alert"><div id="error" data-code="locked">This account has been temporarily locked out due to too
        many failed login attempts, or has been disabled.</div></div>
        """)
  }

  /// The account or the address has to wait.
  var wait: Page {
    Page(
      title: "Please wait",
      content: """
        <div role="alert"><div id="error" data-code="wait">Please wait a moment before you try again.</div></div>
        """)
  }

  /// More passwords are being checked than the server has time for.
  var overloaded: Page {
    Page(title: "Busy", content: "<p>Too many people are signing in right now. Please try again shortly.</p>")
  }

  /// What was sent before signing in, and whether it is to be sent now.
  func askToContinue(path: String, user: String, token: String) -> Page {
    Page(
      title: "Send it now?",
      content: """
        <p>You had sent a form to <strong id="path">\(path)</strong> when you were not signed in. It has been kept, and
        nothing has been done with it. You are now <strong>\(user)</strong>.</p>
        <form id="continue" method="post" action="/gateway/continue">
        \(Self.hidden("token", token))
        <p><button type="submit" name="action" value="send">Send it</button></p>
        <p><button type="submit" name="action" value="discard">Forget it</button></p>
        </form>
        """)
  }
}
