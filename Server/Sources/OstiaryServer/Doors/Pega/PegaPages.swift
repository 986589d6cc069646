/// The pages of the Pega door. Ids and names of elements are the vendor's; the style is the server's.
struct PegaPages: Sendable {
  let configuration: PegaDoorConfiguration

  /// The message above the form of the login page.
  enum Notice: Sendable {
    case none, notRecognized, expired, locked
    case wait
  }

  /// The login form.
  /// - Parameter action: The path of the guest session's page, which the form posts to.
  func login(action: String, notice: Notice) -> Page {
    Page(
      title: "Sign in to \(configuration.applicationName)",
      content: """
        \(text(of: notice))
        <form id="\(names.loginFormID)" method="post" action="\(action)">
        <input type="hidden" name="\(names.guestParameter)" value="guest">
        <label for="txtUserID">User name</label>
        <input id="txtUserID" name="\(names.userParameter)" type="text" autocomplete="username" autocapitalize="none"
          spellcheck="false" required>
        <label for="txtPassword">Password</label>
        <input id="txtPassword" name="\(names.passwordParameter)" type="password" autocomplete="current-password" required>
        <input type="hidden" name="lockScreenID" value="">
        <input type="hidden" name="lockScreenPassword" value="">
        <input type="hidden" name="newPassword" value="">
        <input type="hidden" name="confirmNewPassword" value="">
        <button id="sub" type="submit" name="\(names.activityParameter)=\(configuration.formLoginActivity)" value="">Log in</button>
        </form>
        """)
  }

  private var names: PegaDoorNames { configuration.names }

  private func text(of notice: Notice) -> HTML {
    switch notice {
    case .none: ""
    case .notRecognized: notRecognized
    case .expired:
      """
      <div role="alert"><div id="\(names.errorElementID)" data-code="SessionExpired">This page has expired. Please sign in
      again.</div></div>
      """
    case .locked: locked
    case .wait: wait
    }
  }

  private var notRecognized: HTML {
    """
    <div role="alert"><div id="\(names.errorElementID)">The information you entered was not recognized.</div></div>
    """
  }

  private var locked: HTML {
    """
    <div role="alert"><div id="\(names.errorElementID)" data-code="AccountLocked">This account is locked. Please ask your
    administrator.</div></div>
    """
  }

  private var wait: HTML {
    """
    <div role="alert"><div id="\(names.errorElementID)" data-code="TryLater">Please wait a moment before you try
    again.</div></div>
    """
  }

  /// The answer to a program without a valid credential or session.
  var unauthorized: Page {
    Page(title: "Not signed in", content: "\(notRecognized)")
  }

  /// Too many failures in one guest session.
  func tooManyAttempts(restart: String) -> Page {
    Page(
      title: "Too many attempts",
      content: """
        <div role="alert"><div id="\(names.errorElementID)" data-code="TooManyAttempts">There have been too many attempts to
        sign in.</div></div>
        <p><a class="button" href="\(restart)">Start again</a></p>
        """)
  }

  /// The account or the address has to wait.
  var throttled: Page { Page(title: "Please wait", content: wait) }

  /// More passwords are being checked than the server can handle.
  var overloaded: Page {
    Page(title: "Busy", content: "<p>Too many people are signing in right now. Please try again shortly.</p>")
  }

  /// The page of a signed-in user.
  func portal(operatorName: String, operatorID: String, accessGroup: String, logOff: String) -> Page {
    Page(
      title: configuration.applicationName,
      content: """
        <p>You are signed in.</p>
        <dl id="operator">
        <dt>Name</dt><dd>\(operatorName)</dd>
        <dt>User</dt><dd id="operatorID">\(operatorID)</dd>
        <dt>Access group</dt><dd>\(accessGroup)</dd>
        </dl>
        <p><a class="button" id="logOff" href="\(logOff)">Log off</a></p>
        """)
  }

  /// The page that an app embeds.
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
      title: "Logged off", head: "<meta http-equiv=\"refresh\" content=\"0;URL=\(next)\">",
      content: "<p>You have logged off. <a href=\"\(next)\">Continue</a></p>")
  }

  /// After log-off.
  func sessionEnded(signIn: String) -> Page {
    Page(
      title: "Logged off",
      content: """
        <p>Your session has ended.</p>
        <p><a class="button" href="\(signIn)">Sign in again</a></p>
        """)
  }

  /// An activity that isn't imitated.
  var unknownActivity: Page {
    Page(title: "Unknown activity", content: "<p>This server does not know what it was asked for.</p>")
  }
}
