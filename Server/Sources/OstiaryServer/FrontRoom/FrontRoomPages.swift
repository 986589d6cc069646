import HTTPTypes

/// The front room's pages, in the server's style. Programs find their forms by id, and problems by code.
struct FrontRoomPages: Sendable {
  /// The name of the service to which people sign in.
  let service: String
  /// The texts of the pages around a session; sign-in and consent are in English.
  var texts = AccountTexts.english

  // MARK: Signing in

  /// The content of a sign-in page.
  struct SignIn: Sendable {
    /// The address of the form.
    let action: String
    let token: String?
    /// The address to go to afterwards, sealed.
    var target: String?
    /// The initial user name.
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

  /// The question to a person before an app gets access.
  struct Question: Sendable {
    let app: String
    let user: String
    /// The scopes that the app asks for: the name in the protocol, and the meaning.
    let scopes: [(name: String, meaning: String)]
    /// The address of the form.
    let action: String
    let token: String
    /// The address at which another person signs in.
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

  /// The page of the signed-in user, with the form that signs out. Its button is folded away: the page follows the one that signs
  /// in, and the second click of a double click falls on it.
  /// - Parameters:
  ///   - title: The page's title, if it is more than the service's name.
  ///   - news: What has just happened.
  ///   - more: Further actions of the person.
  func home(
    user: String, signOut: String, token: String, title: String? = nil, news: HTML = "", more: HTML = ""
  ) -> Page {
    Page(
      title: title ?? service, heading: service, in: texts,
      content: """
        \(news)
        <p>\(signedIn(as: user))</p>
        \(more)
        <details>
        <summary>\(texts(.signOut))</summary>
        <form id="logout" method="post" action="\(signOut)">
        \(Self.hidden("token", token))
        <p><button type="submit">\(texts(.signOut))</button></p>
        </form>
        </details>
        """)
  }

  /// The sentence with the user's name, which may be in another script than the sentence.
  private func signedIn(as user: String) -> HTML {
    let mark = "\u{1}"
    let parts = texts(.signedInAs, ["user": mark]).split(separator: mark, omittingEmptySubsequences: false)
    return
      "\(String(parts.first ?? ""))<strong id=\"user\" dir=\"auto\">\(user)</strong>\(String(parts.dropFirst().first ?? ""))"
  }

  /// The page without a session.
  func nobody(signIn: String, more: HTML = "") -> Page {
    Page(
      title: service, in: texts,
      content: """
        <p>\(texts(.notSignedIn))</p>
        <p><a class="button" href="\(signIn)">\(texts(.signIn))</a></p>
        \(more)
        """)
  }

  /// The page after the session's end.
  func signedOut(signIn: String) -> Page {
    Page(
      title: texts(.signedOutTitle), in: texts,
      content: """
        <p id="signed-out">\(texts(.signedOut))</p>
        <p><a class="button" href="\(signIn)">\(texts(.signInAgain))</a></p>
        """)
  }

  // MARK: When it doesn't work

  /// A form that is too old, or that belongs to another browser.
  func expired(_ code: String = "expired", next: String) -> Page {
    Page(
      title: texts(.expiredTitle), in: texts,
      content: """
        \(Self.alert(code, texts(.nothingDone)))
        <p><a class="button" href="\(next)">\(texts(.goOn))</a></p>
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

  /// A problem, as a code and as a text for people.
  static func alert(_ code: String, _ text: String) -> HTML {
    """
    <div role="alert"><div id="error" data-code="\(code)">\(text)</div></div>
    """
  }

  /// A hidden field; nothing for an empty value.
  static func hidden(_ name: StaticString, _ value: String?) -> HTML {
    guard let value, !value.isEmpty else { return "" }
    let field = name.description
    return """
      <input type="hidden" name="\(field)" value="\(value)">
      """
  }
}
