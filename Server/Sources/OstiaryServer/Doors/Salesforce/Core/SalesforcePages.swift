/// The pages that people see at their browsers.
struct SalesforcePages: Sendable {
  /// The name of the service to which people sign in.
  let name: String
  /// The texts, in the reader's language.
  let texts: PageTexts

  /// The pages that every place has.
  var room: FrontRoomPages { FrontRoomPages(service: name, texts: texts) }

  /// What a scope allows, in words; its name in the protocol if it has none.
  func meaning(of scope: String) -> HTML {
    switch scope {
    case "api": "\(texts(.scopeData))"
    case "full": "\(texts(.scopeEverything))"
    case "id", "profile", "openid": "\(texts(.scopeIdentity))"
    case "email": "\(texts(.scopeEmail))"
    case "address": "\(texts(.scopeAddress))"
    case "phone": "\(texts(.scopePhone))"
    case "refresh_token", "offline_access": "\(texts(.scopeOffline))"
    case "web", "visualforce", "lightning", "content": texts(.scopePages, ["scope": "<bdi>\(scope)</bdi>"])
    default: "<bdi>\(scope)</bdi>"
    }
  }

  // MARK: Devices

  /// Asks for the code that a device shows.
  func deviceCode(action: String, token: String, code: String?, isUnknown: Bool) -> Page {
    let alert = isUnknown ? FrontRoomPages.alert("unknown-code", texts(.deviceUnknown)) : ""
    let state: HTML = isUnknown ? " aria-invalid=\"true\" aria-describedby=\"error\" autofocus" : ""
    return Page(
      title: texts.title(texts(.deviceTitle), isRefused: isUnknown), heading: texts(.deviceTitle), in: texts,
      content: """
        \(alert)
        <p>\(texts(.deviceEnter))</p>
        <form id="device" method="post" action="\(action)">
        <input type="hidden" name="token" value="\(token)">
        <label for="user_code">\(texts(.deviceCode))</label>
        <input id="user_code" name="user_code" type="text" autocomplete="off" autocapitalize="characters"
          spellcheck="false" required value="\(code ?? "")"\(state)>
        <button type="submit">\(texts(.goOn))</button>
        </form>
        """)
  }

  /// The page after the decision about a device.
  func deviceDone(isAllowed: Bool) -> Page {
    Page(
      title: texts(isAllowed ? .deviceConnectedTitle : .deviceRefusedTitle), in: texts,
      content: isAllowed
        ? "<p id=\"success\">\(texts(.deviceConnected))</p>" : "<p id=\"denied\">\(texts(.deviceRefused))</p>")
  }

  // MARK: When it doesn't work

  /// The page for a request of an app that can't be reported to the app.
  func invalidRequest(_ failure: SalesforceOAuthFailure) -> Page {
    let told = "error=\(failure.error)&error_description=\(failure.description)"
    return Page(
      title: texts(.badLinkTitle), in: texts,
      content: """
        <p>\(texts(.badLink))</p>
        <div role="alert" lang="en" dir="ltr"><div id="error" data-code="\(failure.error)">\(told)</div></div>
        """)
  }
}
