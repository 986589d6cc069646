/// The pages of the Pega door. Ids and names of elements are the vendor's; the style is the server's.
struct PegaPages: Sendable {
  let configuration: PegaDoorConfiguration
  /// The texts, in the reader's language.
  let texts: PageTexts

  /// The message above the form of the login page.
  enum Notice: Sendable {
    case none, notRecognized, expired, locked
    case wait
  }

  /// The login form.
  /// - Parameters:
  ///   - action: The path of the guest session's page, which the form posts to.
  ///   - userName: The name that was typed before.
  func login(action: String, notice: Notice, userName: String? = nil) -> Page {
    let isNoticed = notice != .none
    // What is told describes both fields; the focus is on the first that is empty.
    let described: HTML = isNoticed ? " aria-describedby=\"\(names.errorElementID)\"" : ""
    let focus: HTML = isNoticed ? " autofocus" : ""
    let hasName = userName?.isEmpty == false
    let value: HTML = userName.map { " value=\"\($0)\"" } ?? ""
    let heading = texts(.signInTitle, service: configuration.applicationName)
    return Page(
      title: texts.title(heading, isRefused: isNoticed), heading: heading, in: texts,
      content: """
        \(text(of: notice))
        <form id="\(names.loginFormID)" method="post" action="\(action)">
        <input type="hidden" name="\(names.guestParameter)" value="guest">
        <label for="txtUserID">\(texts(.userNameLabel))</label>
        <input id="txtUserID" name="\(names.userParameter)" type="text" autocomplete="username" autocapitalize="none"
          spellcheck="false" required\(value)\(described)\(hasName ? "" : focus)>
        <label for="txtPassword">\(texts(.passwordLabel))</label>
        <input id="txtPassword" name="\(names.passwordParameter)" type="password" autocomplete="current-password"
          required\(described)\(hasName ? focus : "")>
        <input type="hidden" name="lockScreenID" value="">
        <input type="hidden" name="lockScreenPassword" value="">
        <input type="hidden" name="newPassword" value="">
        <input type="hidden" name="confirmNewPassword" value="">
        <button id="sub" type="submit" name="\(names.activityParameter)=\(configuration.formLoginActivity)" value="">\(texts(.logInButton))</button>
        </form>
        """)
  }

  private var names: PegaDoorNames { configuration.names }

  private func text(of notice: Notice) -> HTML {
    switch notice {
    case .none: ""
    case .notRecognized: notRecognized
    case .expired: alert(texts(.expired), code: "SessionExpired")
    case .locked: alert(texts(.accountLocked), code: "AccountLocked")
    case .wait: wait
    }
  }

  /// A problem; programs find it by the vendor's id, and tell problems apart by the code.
  private func alert(_ text: String, code: String? = nil) -> HTML {
    let code: HTML = code.map { " data-code=\"\($0)\"" } ?? ""
    return "<div role=\"alert\"><div id=\"\(names.errorElementID)\"\(code)>\(text)</div></div>"
  }

  private var notRecognized: HTML { alert(texts(.notRecognized)) }
  private var wait: HTML { alert(texts(.wait), code: "TryLater") }

  /// The answer to a program without a valid credential or session.
  var unauthorized: Page { Page(title: texts(.notSignedInTitle), in: texts, content: notRecognized) }

  /// Too many failures in one guest session.
  func tooManyAttempts(restart: String) -> Page {
    Page(
      title: texts(.attemptsTitle), in: texts,
      content: """
        \(alert(texts(.attempts), code: "TooManyAttempts"))
        <p><a class="button" href="\(restart)">\(texts(.startAgain))</a></p>
        """)
  }

  /// The account or the address has to wait.
  var throttled: Page { Page(title: texts(.waitTitle), in: texts, content: wait) }

  /// More passwords are being checked than the server can handle.
  var overloaded: Page {
    Page(title: texts(.busyTitle), in: texts, content: "<p>\(texts(code: .overloaded))</p>")
  }

  /// The page of a signed-in user.
  func portal(operatorName: String, operatorID: String, accessGroup: String, logOff: String) -> Page {
    Page(
      title: configuration.applicationName, in: texts,
      content: """
        <p>\(texts(.signedIn))</p>
        <dl id="operator">
        <dt>\(texts(.displayNameLabel))</dt><dd dir="auto">\(operatorName)</dd>
        <dt>\(texts(.userNameLabel))</dt><dd id="operatorID">\(operatorID)</dd>
        <dt>\(texts(.accessGroup))</dt><dd dir="auto">\(accessGroup)</dd>
        </dl>
        <p><a class="button" id="logOff" href="\(logOff)">\(texts(.logOffButton))</a></p>
        """)
  }

  /// The page that an app embeds: it is for the app's developer, in English.
  /// - Parameter json: The app's parameters.
  func snapStart(action: String, json: String) -> Page {
    Page(
      title: configuration.applicationName,
      content: """
        <p>This is where the app's page would be. It was asked for <strong>\(action)</strong>.</p>
        \(HTML.data(id: "snapstart", json: json))
        """)
  }

  /// The page of the log-off, as the vendor's stock page does it: a refresh back to the start page.
  func loggedOff(next: String) -> Page {
    Page(
      title: texts(.loggedOffTitle), in: texts, head: "<meta http-equiv=\"refresh\" content=\"0;URL=\(next)\">",
      content: "<p>\(texts(.loggedOff)) <a href=\"\(next)\">\(texts(.goOn))</a></p>")
  }

  /// After log-off.
  func sessionEnded(signIn: String) -> Page {
    Page(
      title: texts(.loggedOffTitle), in: texts,
      content: """
        <p>\(texts(ServerText.sessionEnded))</p>
        <p><a class="button" href="\(signIn)">\(texts(.signInAgain))</a></p>
        """)
  }

  /// An activity that isn't imitated: this is for the program's developer, in English.
  var unknownActivity: Page {
    Page(title: "Unknown activity", content: "<p>This server does not know what it was asked for.</p>")
  }
}
