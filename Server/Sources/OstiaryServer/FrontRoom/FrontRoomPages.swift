import HTTPTypes

/// The front room's pages, in the server's style. Programs find their forms by id, and problems by code.
struct FrontRoomPages: Sendable {
  /// The name of the service to which people sign in.
  let service: String
  /// The texts, in the reader's language.
  let texts: PageTexts

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
    let isNoticed = form.notice != .none
    // What is told describes both fields; the focus is on the first that is empty.
    let described: HTML = isNoticed ? " aria-describedby=\"error\"" : ""
    let focus: HTML = isNoticed ? " autofocus" : ""
    let hasName = form.hint?.isEmpty == false
    let heading = texts(.signInTitle, service: service)
    return Page(
      title: texts.title(heading, isRefused: isNoticed), heading: heading, in: texts,
      content: """
        \(notice(form.notice))
        <form id="login" method="post" action="\(form.action)">
        \(Self.hidden("token", form.token))
        \(Self.hidden("target", form.target))
        <label for="username">\(texts(.userNameLabel))</label>
        <input id="username" name="username" type="text" autocomplete="username" autocapitalize="none"
          spellcheck="false" required value="\(form.hint ?? "")"\(described)\(hasName ? "" : focus)>
        <label for="password">\(texts(.passwordLabel))</label>
        <input id="password" name="password" type="password" autocomplete="current-password"
          required\(described)\(hasName ? focus : "")>
        <button type="submit">\(texts(.signIn))</button>
        </form>
        """)
  }

  private func notice(_ notice: FrontRoomState.Notice) -> HTML {
    switch notice {
    case .none: ""
    case .refused: Self.alert("refused", texts(.credentialsRefused))
    case .expired: Self.alert("expired", texts(.expired))
    }
  }

  // MARK: Consent

  /// The question to a person before an app gets access.
  struct Question: Sendable {
    let app: String
    let user: String
    /// The scopes that the app asks for: the name in the protocol, and the meaning.
    let scopes: [(name: String, meaning: HTML)]
    /// The address of the form.
    let action: String
    let token: String
    /// The address at which another person signs in.
    let otherUser: String
  }

  func consent(_ question: Question) -> Page {
    Page(
      title: texts(.consentTitle), in: texts,
      content: """
        <p>\(texts(.consentWants, ["app": "<strong id=\"app\" dir=\"auto\">\(question.app)</strong>"]))</p>
        <ul id="scopes">
        \(HTML.joined(question.scopes.map { "<li data-scope=\"\($0.name)\">\($0.meaning)</li>" }))
        </ul>
        <p>\(texts(.consentUser, ["user": Self.name(question.user)]))
        <a href="\(question.otherUser)">\(texts(.consentOther))</a></p>
        <form id="consent" method="post" action="\(question.action)">
        \(Self.hidden("token", question.token))
        <p><button type="submit" name="decision" value="allow">\(texts(.allow))</button></p>
        <p><button type="submit" name="decision" value="deny">\(texts(.deny))</button></p>
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
        <p>\(texts.signedIn(as: Self.name(user)))</p>
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

  /// A user's name within a sentence, which may be in another script than the sentence.
  static func name(_ user: String) -> HTML { "<strong id=\"user\" dir=\"auto\">\(user)</strong>" }

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
    Page(title: texts(.waitTitle), in: texts, content: Self.alert("wait", texts(.wait)))
  }

  var overloaded: Page {
    Page(title: texts(.busyTitle), in: texts, content: "<p>\(texts(code: .overloaded))</p>")
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
