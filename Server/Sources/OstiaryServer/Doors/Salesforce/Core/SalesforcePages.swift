/// The pages that people see at their browsers.
struct SalesforcePages: Sendable {
  /// What the sign-in page says above the form.
  enum Notice: Sendable {
    case none, refused, expired
  }

  /// The name of what people sign in to.
  let name: String

  /// The sign-in page.
  func signIn(action: String, token: String, hint: String?, notice: Notice) -> Page {
    Page(
      title: "Sign in to \(name)",
      content: """
        \(Self.notice(notice))
        <form id="login" method="post" action="\(action)">
        <input type="hidden" name="token" value="\(token)">
        <label for="username">User name</label>
        <input id="username" name="username" type="text" autocomplete="username" autocapitalize="none"
          spellcheck="false" required value="\(hint ?? "")">
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="current-password" required>
        <button type="submit">Sign in</button>
        </form>
        """)
  }

  private static func notice(_ notice: Notice) -> HTML {
    switch notice {
    case .none: ""
    case .refused: alert("refused", "The user name or the password is wrong.")
    case .expired: alert("expired", "This page has expired. Please try again.")
    }
  }

  private static func alert(_ code: String, _ text: String) -> HTML {
    """
    <div role="alert"><div id="error" data-code="\(code)">\(text)</div></div>
    """
  }

  // MARK: Letting an app in

  /// What somebody is asked before an app gets tokens.
  struct Question: Sendable {
    let app: String
    let user: String
    let scopes: [String]
    /// Where the form goes.
    let action: String
    let token: String
    /// Where somebody else signs in.
    let otherUser: String
  }

  /// Whether an app may have what it asks for.
  func consent(_ question: Question) -> Page {
    Page(
      title: "Allow access?",
      content: """
        <p><strong id="app">\(question.app)</strong> wants to:</p>
        <ul id="scopes">
        \(HTML.joined(question.scopes.map { "<li data-scope=\"\($0)\">\(Self.meaning(of: $0))</li>" }))
        </ul>
        <p>You are <strong id="user">\(question.user)</strong>. <a href="\(question.otherUser)">Somebody else?</a></p>
        <form id="consent" method="post" action="\(question.action)">
        <input type="hidden" name="token" value="\(question.token)">
        <p><button type="submit" name="decision" value="allow">Allow</button></p>
        <p><button type="submit" name="decision" value="deny">Deny</button></p>
        </form>
        """)
  }

  /// What a scope lets an app do.
  private static func meaning(of scope: String) -> String {
    switch scope {
    case "api": "Read and change your data"
    case "full": "Do everything that you can do"
    case "id", "profile", "openid": "Know who you are"
    case "email": "Know your e-mail address"
    case "address": "Know your postal address"
    case "phone": "Know your phone number"
    case "refresh_token", "offline_access": "Go on when you are not there, until you sign out or revoke it"
    case "web", "visualforce", "lightning", "content": "Open pages as you (\(scope))"
    default: scope
    }
  }

  // MARK: Devices

  /// Asks for the code that a device shows.
  func deviceCode(action: String, token: String, code: String?, isUnknown: Bool) -> Page {
    Page(
      title: "Connect a device",
      content: """
        \(isUnknown ? Self.alert("unknown-code", "There is no device with that code. Look at it again.") : "")
        <p>Enter the code that the device or the program shows.</p>
        <form id="device" method="post" action="\(action)">
        <input type="hidden" name="token" value="\(token)">
        <label for="user_code">Code</label>
        <input id="user_code" name="user_code" type="text" autocomplete="off" autocapitalize="characters"
          spellcheck="false" required value="\(code ?? "")">
        <button type="submit">Continue</button>
        </form>
        """)
  }

  /// Somebody has decided about a device.
  func deviceDone(isAllowed: Bool) -> Page {
    Page(
      title: isAllowed ? "Connected" : "Not connected",
      content: isAllowed
        ? "<p id=\"success\">The device is connected. You can close this page.</p>"
        : "<p id=\"denied\">The device has been refused. You can close this page.</p>")
  }

  // MARK: When it doesn't work

  /// A request of an app that can't be sent back to it.
  func invalidRequest(_ failure: SalesforceOAuthFailure) -> Page {
    Page(
      title: "This link doesn't work",
      content: """
        \(Self.alert(failure.error, "error=\(failure.error)&error_description=\(failure.description)"))
        <p>The program that sent you here has asked for something that it can't have. Tell whoever made it.</p>
        """)
  }

  /// The account or the address has to wait.
  var wait: Page {
    Page(
      title: "Please wait", content: Self.alert("wait", "Please wait a moment before you try again."))
  }

  /// More passwords are being checked than the server has time for.
  var overloaded: Page {
    Page(title: "Busy", content: "<p>Too many people are signing in right now. Please try again shortly.</p>")
  }
}
