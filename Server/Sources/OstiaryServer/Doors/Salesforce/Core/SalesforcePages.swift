/// The pages that people see at their browsers.
struct SalesforcePages: Sendable {
  /// The name of the service to which people sign in.
  let name: String

  /// The pages that every place has.
  var room: FrontRoomPages { FrontRoomPages(service: name) }

  /// What a scope allows, in words.
  static func meaning(of scope: String) -> String {
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
        \(isUnknown ? FrontRoomPages.alert("unknown-code", "There is no device with that code. Look at it again.") : "")
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

  /// The page after the decision about a device.
  func deviceDone(isAllowed: Bool) -> Page {
    Page(
      title: isAllowed ? "Connected" : "Not connected",
      content: isAllowed
        ? "<p id=\"success\">The device is connected. You can close this page.</p>"
        : "<p id=\"denied\">The device has been refused. You can close this page.</p>")
  }

  // MARK: When it doesn't work

  /// The page for a request of an app that can't be reported to the app.
  func invalidRequest(_ failure: SalesforceOAuthFailure) -> Page {
    Page(
      title: "This link doesn't work",
      content: """
        \(FrontRoomPages.alert(failure.error, "error=\(failure.error)&error_description=\(failure.description)"))
        <p>The program that sent you here has asked for something that it can't have. Tell its developer.</p>
        """)
  }
}
