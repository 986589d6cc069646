/// The gateway's pages. The parts that programs look for (actions, names of fields, sentences) are those of the imitated product;
/// the style is the server's.
struct GatewayPages: Sendable {
  let configuration: GatewayDoorConfiguration
  let names: GatewayNames
  /// The texts, in the reader's language. The imitated products' own pages are in English.
  let texts: PageTexts

  /// The pages that every place has.
  var room: FrontRoomPages { FrontRoomPages(service: configuration.name, texts: texts) }

  /// The login page.
  func login(_ form: FrontRoomPages.SignIn) -> Page {
    switch configuration.style {
    case .ostiary: room.signIn(form)
    case .webSEAL: webSEALLogin(form)
    case .ltpa, .classic: securityCheckLogin(form)
    }
  }

  // MARK: Afterwards

  /// The page after a successful sign-in.
  func signedIn(name: String?) -> Page {
    let sentence: HTML = name.map { texts.signedIn(as: FrontRoomPages.name($0)) } ?? "\(texts(.signedIn))"
    return Page(title: texts(.signedInTitle), in: texts, content: "<p id=\"success\">\(sentence)</p>")
  }

  /// The page for a locked account in the imitated styles, in English like their login pages.
  var locked: Page {
    Page(
      title: "Account locked",
      content: """
        <div role="alert"><div id="error" data-code="locked">This account has been temporarily locked out due to too
        many failed login attempts, or has been disabled.</div></div>
        """)
  }

  /// Shows the form that was sent before signing in, and asks whether to send it now.
  func askToContinue(path: String, user: String, token: String) -> Page {
    Page(
      title: texts(.heldTitle), in: texts,
      content: """
        <p>\(texts(.heldSent, ["path": "<strong id=\"path\" dir=\"ltr\">\(path)</strong>"])) \(texts(.heldKept))
        \(texts(.consentUser, ["user": FrontRoomPages.name(user)]))</p>
        <form id="continue" method="post" action="/gateway/continue">
        \(FrontRoomPages.hidden("token", token))
        <p><button type="submit" name="action" value="send">\(texts(.sendHeld))</button></p>
        <p><button type="submit" name="action" value="discard">\(texts(.dropHeld))</button></p>
        </form>
        """)
  }
}
