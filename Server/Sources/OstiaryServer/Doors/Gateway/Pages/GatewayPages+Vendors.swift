/// The imitated products' own pages. They are in English in every language: clients look for the vendor's sentences on them.
extension GatewayPages {
  /// WebSEAL's `login.html`, with its form, field names and the sentence in the place of its `%ERROR%` macro.
  func webSEALLogin(_ form: FrontRoomPages.SignIn) -> Page {
    let error: HTML =
      form.notice == .none
      ? "" : "<p id=\"error\">HPDIA0200W Authentication failed. You have used an invalid user name or password.</p>"
    return Page(
      title: "Access Manager for e-business Login",
      content: """
        \(error)
        <FORM METHOD=POST ACTION="\(form.action)">
        <TABLE BORDER="0">
        <TR><TD><LABEL FOR="username">Username:</LABEL></TD>
        <TD><INPUT NAME="username" ID="username" SIZE="15" AUTOCOMPLETE="username"></TD></TR>
        <TR><TD><LABEL FOR="password">Password:</LABEL></TD>
        <TD><INPUT TYPE="PASSWORD" NAME="password" ID="password" SIZE="15" AUTOCOMPLETE="current-password"></TD></TR>
        </TABLE>
        <INPUT TYPE="HIDDEN" NAME="login-form-type" VALUE="pwd">
        \(FrontRoomPages.hidden("target", form.target))
        <INPUT TYPE="SUBMIT" VALUE="Login">
        </FORM>
        """)
  }

  /// The form of a servlet container's `FORM` login, as DataPower and MobileFirst 7 show it.
  func securityCheckLogin(_ form: FrontRoomPages.SignIn) -> Page {
    let error: HTML = form.notice == .none ? "" : "<p id=\"error\">Invalid username and/or password.</p>"
    return Page(
      title: "Login",
      content: """
        \(error)
        <form method="post" action="\(form.action)">
        <p><label for="j_username">Username</label>
        <input type="text" id="j_username" name="j_username" autocomplete="username"></p>
        <p><label for="j_password">Password</label>
        <input type="password" id="j_password" name="j_password" autocomplete="current-password"></p>
        \(FrontRoomPages.hidden("token", form.token))
        \(FrontRoomPages.hidden("target", form.target))
        <p><input type="submit" name="login" value="Login"></p>
        </form>
        """)
  }
}
