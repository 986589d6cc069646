internal import Foundation
internal import HTTPTypes
public import OstiaryCore
internal import OstiaryHTML

extension FormLogin {
  /// Signs in with the conversation's user name and password.
  ///
  /// - Throws: ``/OstiaryCore/OstiaryError``: `invalidCredentials`, `accountLocked`, `captchaRequired` and `oneTimeCodeRequired` are
  ///   final; `serverUnavailable`, `captivePortal`, `unexpectedResponse` and the network's own errors say nothing about the
  ///   credential; `unsafeLoginForm` and `redirectRefused` say that nothing was sent.
  public func answer(
    _ challenge: Challenge, in conversation: inout ChallengeConversation
  ) async throws -> ChallengeAnswer {
    guard case .password(let username, let password) = conversation.credential else {
      throw OstiaryError(
        .unsupportedCredential, "A form is filled in with a user name and a password.", requestMayHaveExecuted: false)
    }
    conversation.user = Session.User(id: username)
    var page = try await open(challenge, isFresh: conversation.round == 1, in: &conversation)
    let gateway = GatewayDemand(challenge.response)?.gateway
    var filled = Filled(username: username, password: password, gateway: gateway)
    var hasFetchedAgain = false
    for _ in 0..<max(1, maximumForms) {
      // A password that has not left yet stays here. After it the gateway may have begun a session.
      if !filled.hasPassword { try Task.checkCancellation() }
      let submission = try await fill(page, &filled)
      let (response, leavesPages) = try await travel(
        submission, stoppingAt: [challenge.original.head, challenge.request.head], in: &conversation)
      let judged = judge?(response)
      let outcome = judged ?? (leavesPages ? .signedIn : verdict(on: response, after: filled))
      conversation.isUnproven = judged == nil && !leavesPages
      switch outcome {
      case .signedIn:
        return .answered
      case .refused:
        throw OstiaryError(
          .invalidCredentials, "The gateway does not accept the user name or password.", request: submission.head)
      case .locked:
        throw OstiaryError(
          .accountLocked, "The gateway says that the account is locked.", request: submission.head)
      case .unavailable:
        throw OstiaryError(unavailable: response, to: submission, now: conversation.context.clock.now)
          ?? unavailable(submission)
      case .stale:
        guard !hasFetchedAgain else {
          throw OstiaryError(
            .unexpectedResponse, "The gateway refuses the form that it gives, as too old or used up.",
            request: submission.head)
        }
        hasFetchedAgain = true
        filled = Filled(username: username, password: password, gateway: gateway)
        if let fresh = LoginPage(HTMLPage(response), self, goesOn: false), fresh.username != nil {
          page = fresh
        } else {
          page = try await open(challenge, isFresh: false, in: &conversation)
        }
      case .nextPage:
        guard let next = LoginPage(HTMLPage(response), self, goesOn: true) else {
          throw OstiaryError(
            .unexpectedResponse,
            "The gateway answered the form with \(response.status.code) and nothing to go on with.",
            request: submission.head)
        }
        page = next
      }
    }
    throw OstiaryError(
      .challengedAgain, "The gateway keeps showing forms; \(maximumForms) were sent.")
  }

  /// What a login has sent so far.
  struct Filled: Sendable {
    let username: String
    let password: Secret
    var hasPassword = false
    var codes = 0
    /// The name that the gateway's challenge gave it.
    var gateway: String?
    /// The name of the field that the password was put into.
    var passwordField: String?
    /// Where the forms were found and sent.
    var addresses: [HTTPRequest] = []
  }

  /// Fills in a page's form and makes the request that sends it.
  private func fill(_ page: LoginPage, _ filled: inout Filled) async throws -> TransportRequest {
    guard !page.hasCaptcha else {
      throw OstiaryError(
        .captchaRequired, "The gateway wants a puzzle solved (captcha), which only a person at a browser can.",
        advice: "Sign in with a browser, or ask the gateway's administrator to leave programs out of it.")
    }
    var form = page.form
    if let index = page.username { form.fields[index].value = Secret(filled.username) }
    if let index = page.password {
      form.fields[index].value = filled.password
      filled.hasPassword = true
      filled.passwordField = form.fields[index].name
    }
    if let index = page.code {
      filled.codes += 1
      form.fields[index].value = try await code(for: page, filled)
    }
    for (name, value) in fields.others.sorted(by: { $0.key < $1.key }) {
      if let index = form.fields.firstIndex(where: { $0.name == name }) {
        form.fields[index].value = Secret(value)
        form.fields[index].isDisabled = false
        form.fields[index].isChecked = true
      } else {
        form.fields.append(HTMLForm.Field(element: "input", type: "hidden", name: name, value: Secret(value)))
      }
    }
    guard var request = try form.submission(on: page.page, pressing: button(of: form)) else {
      throw OstiaryError(.unexpectedResponse, "The gateway's login page has no address.")
    }
    try checkSafety(of: request, page)
    filled.addresses += [request.head] + (page.page.url.flatMap { try? HTTPRequest(.get, to: $0) }.map { [$0] } ?? [])
    request.head.headerFields[.accept] = "text/html,application/xhtml+xml,*/*;q=0.8"
    if let url = page.page.url, let origin = Origin(url) {
      // Gateways guard their forms with these, too (RFC 6454 §7.3, RFC 9110 §10.1.3).
      request.head.headerFields[.origin] = origin.description
      if Origin(request.head) == origin { request.head.headerFields[.referer] = url.absoluteString }
    }
    request.responseBodyLimit = Self.largestPage
    request.replay = .never
    return request
  }

  private func code(for page: LoginPage, _ filled: Filled) async throws -> Secret {
    guard let oneTimeCode else {
      throw OstiaryError(
        .oneTimeCodeRequired, "The gateway asks for a one-time code.",
        advice: "Give the form login a way to ask for it (oneTimeCode).")
    }
    guard filled.codes <= 3 else {
      throw OstiaryError(.invalidCredentials, "The gateway does not accept the one-time codes.")
    }
    // A person is not asked in vain.
    try Task.checkCancellation()
    return try await oneTimeCode(
      OneTimeCodeRequest(gateway: name, username: filled.username, title: page.page.title, attempt: filled.codes))
  }

  /// The password goes where the app allowed, encrypted, and in a body.
  private func checkSafety(of request: TransportRequest, _ page: LoginPage) throws {
    func refusal(_ message: String, _ advice: String) -> OstiaryError {
      OstiaryError(
        .unsafeLoginForm, message, advice: advice, disposition: .misuse, request: request.head,
        requestMayHaveExecuted: false)
    }
    guard let target = Origin(request.head), origins.contains(target) else {
      throw refusal(
        "The login form leads to a server that the app has not allowed; nothing was sent.",
        "If it belongs to the gateway, add its address to the form login's origins.")
    }
    guard target.isSecure || allowingInsecureHTTPForPasswords else {
      throw refusal(
        "The login form would send the password over plain http; nothing was sent.",
        "Use https. For a gateway on this machine, allow insecure HTTP for passwords.")
    }
    guard request.body != nil || (page.password == nil && page.code == nil) else {
      throw refusal(
        "The login form would send the password in the address, where logs keep it; nothing was sent.",
        "Ask the gateway's administrator for a form with method=post.")
    }
  }

  private func button(of form: HTMLForm) -> Int? {
    let buttons = form.fields.indices.filter { form.fields[$0].isSubmitButton && !form.fields[$0].isDisabled }
    if let wanted = button {
      return buttons.first {
        let field = form.fields[$0]
        return field.name == wanted || field.id == wanted || field.value?.reveal() == wanted
      }
    }
    return buttons.first { !form.fields[$0].isOtherBusiness } ?? buttons.first
  }
}

extension HTMLForm.Field {
  /// Whether a button looks like leading away from the login.
  fileprivate var isOtherBusiness: Bool {
    let words = "\(name ?? "") \(id ?? "") \(value?.reveal() ?? "")".lowercased()
    return ["cancel", "reset", "register", "forgot", "sign up", "signup", "back"].contains { words.contains($0) }
  }
}
