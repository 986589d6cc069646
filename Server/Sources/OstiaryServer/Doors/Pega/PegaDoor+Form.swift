import HTTPTypes
import OstiaryCore

extension PegaDoor {
  private static let attempts = "pega.attempts"

  /// Whether a form is the login form: its button's *name* is the whole `pyActivity=Code-Security.Login`. Programs that
  /// don't escape the equals sign in a name send it as name and value, or with one more equals sign.
  func isLogin(_ form: FormFields) -> Bool {
    let (name, activity) = (configuration.names.activityParameter, configuration.formLoginActivity)
    return form.all.contains { field in
      field.name == "\(name)=\(activity)"
        || field.name == name && (field.value == activity || field.value == activity + "=")
    }
  }

  /// Handles the login form. A failure is a 200 with the form again, as the vendor's.
  ///
  /// Each guest session has a few attempts. They are counted before the password is verified: attempts made at once
  /// can't exceed them. No password is verified for a page that belongs to another session, or to an ended one.
  func formLogin(
    _ request: DoorRequest, _ form: FormFields, _ servlet: PegaServlet, hash: String?
  ) async throws -> DoorResponse {
    guard let visitor = try await visitor(of: request) else {
      let guest = try await newGuest()
      return cookies.setting(guest.id, in: loginPage(of: guest, request, servlet, notice: .expired))
    }
    guard !request.isFromOtherSite(than: [origin]), hash == nil || hash == PegaServlet.hash(of: visitor.id) else {
      try await identity.storage.noteRefusal(AuditEvent(.formRefused, .forged), at: identity.clock.now)
      return loginPage(of: visitor, request, servlet, notice: .expired)
    }
    let limit = configuration.loginAttempts
    let attempt = try await sessions.update(visitor.id) { attributes in
      let attempt = min(Self.count(in: attributes), limit) + 1
      attributes[Self.attempts] = .integer(Int64(attempt))
      return attempt
    }
    guard let attempt, attempt <= limit else {
      try await identity.storage.noteRefusal(
        AuditEvent(.passwordRefused, .tooManyAttempts), at: identity.clock.now)
      return tooManyAttempts(request, servlet)
    }
    let outcome: PegaSignIn
    switch PegaCredentials.read(form: form, configuration.names) {
    case .credentials(let credentials): outcome = try await signIn(credentials, request)
    case .malformed, .none:
      try await noteMalformed()
      outcome = .refused
    }
    switch outcome {
    case .signedIn(let visitor, let user):
      return cookies.setting(visitor.id, in: .redirect(to: servlet.pagePath(of: visitor.id), status: .seeOther))
        .settingCookie(identity.deviceCookie(for: user, request, isSecure: origin.isSecure))
    case .refused where attempt == limit: return tooManyAttempts(request, servlet)
    case .refused: return loginForm(of: visitor, request, servlet, notice: .notRecognized, form: form)
    case .locked: return loginForm(of: visitor, request, servlet, notice: .locked, form: form)
    case .later(let response):
      // No password has been verified, so no attempt counts.
      try await sessions.update(visitor.id) { attributes in
        attributes[Self.attempts] = .integer(Int64(max(0, Self.count(in: attributes) - 1)))
      }
      return response
    }
  }

  /// The login form, or the error page when the guest session has no attempts left.
  func loginPage(
    of visitor: PegaVisitor, _ request: DoorRequest, _ servlet: PegaServlet, notice: PegaPages.Notice = .none
  ) -> DoorResponse {
    guard Self.count(in: visitor.session.attributes) < configuration.loginAttempts else {
      return tooManyAttempts(request, servlet)
    }
    return loginForm(of: visitor, request, servlet, notice: notice)
  }

  /// - Parameter form: The form that was refused, whose name is kept.
  private func loginForm(
    of visitor: PegaVisitor, _ request: DoorRequest, _ servlet: PegaServlet, notice: PegaPages.Notice,
    form: FormFields? = nil
  ) -> DoorResponse {
    .page(
      pages(for: request).login(
        action: servlet.pagePath(of: visitor.id), notice: notice,
        userName: form?.first(configuration.names.userParameter)))
  }

  private func tooManyAttempts(_ request: DoorRequest, _ servlet: PegaServlet) -> DoorResponse {
    let names = configuration.names
    let restart =
      "\(servlet.path)?\(names.activityParameter)=\(configuration.endSessionActivity)&\(names.guestParameter)=guest"
    return .page(pages(for: request).tooManyAttempts(restart: restart))
  }

  private static func count(in attributes: [String: JSONValue]) -> Int {
    guard case .integer(let count)? = attributes[attempts] else { return 0 }
    return Int(clamping: count)
  }
}
