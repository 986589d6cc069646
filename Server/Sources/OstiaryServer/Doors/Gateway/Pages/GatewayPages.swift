/// The gateway's pages. The parts that programs look for (actions, names of fields, sentences) are those of the imitated product;
/// the style is the server's.
struct GatewayPages: Sendable {
  let configuration: GatewayDoorConfiguration
  let names: GatewayNames

  /// The pages that every place has.
  var room: FrontRoomPages { FrontRoomPages(service: configuration.name) }

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
    let who: HTML = name.map { " as <strong id=\"user\">\($0)</strong>" } ?? ""
    return Page(title: "Signed in", content: "<p id=\"success\">You are signed in\(who).</p>")
  }

  /// The page for a locked account in the imitated styles.
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
      title: "Send it now?",
      content: """
        <p>You had sent a form to <strong id="path">\(path)</strong> when you were not signed in. It has been kept, and
        nothing has been done with it. You are now <strong>\(user)</strong>.</p>
        <form id="continue" method="post" action="/gateway/continue">
        \(FrontRoomPages.hidden("token", token))
        <p><button type="submit" name="action" value="send">Send it</button></p>
        <p><button type="submit" name="action" value="discard">Forget it</button></p>
        </form>
        """)
  }
}
