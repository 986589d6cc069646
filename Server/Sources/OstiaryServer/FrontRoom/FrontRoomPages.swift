import HTTPTypes

/// The front room's pages, in the house style. Programs look for their forms' ids and the codes of what went wrong.
struct FrontRoomPages: Sendable {
  /// The name of what people sign in to.
  let service: String

  // MARK: Signing in

  /// What goes into a sign-in page.
  struct SignIn: Sendable {
    /// Where the form goes.
    let action: String
    let token: String?
    /// Where to go afterwards, sealed.
    var target: String?
    /// The user name to begin with.
    var hint: String?
    var notice = FrontRoomState.Notice.none
  }

  func signIn(_ form: SignIn) -> Page {
    Page(
      title: "Sign in to \(service)",
      content: """
        \(Self.notice(form.notice))
        <form id="login" method="post" action="\(form.action)">
        \(Self.hidden("token", form.token))
        \(Self.hidden("target", form.target))
        <label for="username">User name</label>
        <input id="username" name="username" type="text" autocomplete="username" autocapitalize="none"
          spellcheck="false" required value="\(form.hint ?? "")">
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="current-password" required>
        <button type="submit">Sign in</button>
        </form>
        """)
  }

  private static func notice(_ notice: FrontRoomState.Notice) -> HTML {
    switch notice {
    case .none: ""
    case .refused: alert("refused", "The user name or the password is wrong.")
    case .expired: alert("expired", "This page has expired. Please try again.")
    }
  }

  // MARK: Consent

  /// What a person is asked before an app gets something.
  struct Question: Sendable {
    let app: String
    let user: String
    /// What the app asks for: its name in the protocol, and what it means.
    let scopes: [(name: String, meaning: String)]
    /// Where the form goes.
    let action: String
    let token: String
    /// Where another person signs in.
    let otherUser: String
  }

  func consent(_ question: Question) -> Page {
    Page(
      title: "Allow access?",
      content: """
        <p><strong id="app">\(question.app)</strong> wants to:</p>
        <ul id="scopes">
        \(HTML.joined(question.scopes.map { "<li data-scope=\"\($0.name)\">\($0.meaning)</li>" }))
        </ul>
        <p>You are <strong id="user">\(question.user)</strong>. <a href="\(question.otherUser)">Somebody else?</a></p>
        <form id="consent" method="post" action="\(question.action)">
        \(Self.hidden("token", question.token))
        <p><button type="submit" name="decision" value="allow">Allow</button></p>
        <p><button type="submit" name="decision" value="deny">Deny</button></p>
        </form>
        """)
  }

  // MARK: Home

  /// Who is signed in, and the way out.
  /// - Parameter more: What else the person can do.
  func home(user: String, signOut: String, token: String, more: HTML = "") -> Page {
    Page(
      title: service,
      content: """
        <p>You are signed in as <strong id="user" dir="auto">\(user)</strong>.</p>
        \(more)
        <form id="logout" method="post" action="\(signOut)">
        \(Self.hidden("token", token))
        <p><button type="submit">Sign out</button></p>
        </form>
        """)
  }

  /// No session is there.
  func nobody(signIn: String, more: HTML = "") -> Page {
    Page(
      title: service,
      content: """
        <p>You are not signed in.</p>
        <p><a class="button" href="\(signIn)">Sign in</a></p>
        \(more)
        """)
  }

  /// The session is over.
  func signedOut(signIn: String) -> Page {
    Page(
      title: "Signed out",
      content: """
        <p id="signed-out">You have signed out.</p>
        <p><a class="button" href="\(signIn)">Sign in again</a></p>
        """)
  }

  // MARK: When it doesn't work

  /// A form that is too old, or another browser's.
  func expired(_ code: String = "expired", next: String) -> Page {
    Page(
      title: "This page has expired",
      content: """
        \(Self.alert(code, "Nothing has been done."))
        <p><a class="button" href="\(next)">Continue</a></p>
        """)
  }

  /// The account or the address has to wait, or too many passwords are being checked.
  func notNow(_ refusal: FrontRoomState.Refusal) -> DoorResponse? {
    switch refusal {
    case .wait(let delay): .page(wait, status: .tooManyRequests).retrying(after: delay)
    case .busy(let delay): .page(overloaded, status: .serviceUnavailable).retrying(after: delay)
    case .mayNotAsk, .outOfReach, .denied, .notAdmitted: nil
    }
  }

  var wait: Page {
    Page(title: "Please wait", content: Self.alert("wait", "Please wait a moment before you try again."))
  }

  var overloaded: Page {
    Page(title: "Busy", content: "<p>Too many people are signing in right now. Please try again shortly.</p>")
  }

  /// What went wrong, as a code and for people.
  static func alert(_ code: String, _ text: String) -> HTML {
    """
    <div role="alert"><div id="error" data-code="\(code)">\(text)</div></div>
    """
  }

  /// A hidden field, unless it would be empty.
  static func hidden(_ name: StaticString, _ value: String?) -> HTML {
    guard let value, !value.isEmpty else { return "" }
    let field = name.description
    return """
      <input type="hidden" name="\(field)" value="\(value)">
      """
  }
}
