import Foundation
import HTTPTypes
import OstiaryCore

/// The flows without a page in a browser: user name and password, an assertion, credentials for a code.
extension SalesforceDoor {
  /// `grant_type=password`
  func password(
    _ request: DoorRequest, _ form: SalesforceForm, _ entry: SalesforceEntry
  ) async throws -> [(String, JSONValue)] {
    let known = try await authenticatedApp(request, form)
    guard let name = form["username"] else { throw SalesforceOAuthFailure.missing("username") }
    guard let password = form["password"] else { throw SalesforceOAuthFailure.missing("password") }
    let user = try await user(
      name: name, password: password, request, entry, pathway: "salesforce.password", mayNeedToken: true)
    // As with the vendor, there is no refresh token, and the app gets all its other scopes.
    let scopes = known.app.scopes.filter { !Self.refreshScopes.contains($0) }
    let decision = try await tokens.issue(
      grantRequest(known, user: user, scopes: scopes, entry: entry, includesRefreshToken: false))
    switch decision {
    case .issued(let issued): return try answer(issued, known.app, entry)
    case .refused(let refusal): throw SalesforceOAuthFailure(code: refusal)
    }
  }

  /// The user with this name and password.
  /// - Parameter mayNeedToken: Whether the security token has to follow the password at an address that isn't trusted,
  ///   and may follow it at any.
  /// - Throws: `SalesforceOAuthFailure`.
  func user(
    name: String, password: String, _ request: DoorRequest, _ entry: SalesforceEntry, pathway: Pathway,
    mayNeedToken: Bool
  ) async throws -> User {
    let found = try await user(named: name, entry)
    var password = Secret(password)
    if mayNeedToken {
      // Compared as bytes: the last character of the password must not combine with the token's first.
      let bytes = Array(password.reveal().utf8)
      let token = found.map { Array(keys.securityToken(of: $0).reveal().utf8) }
      if let token, ConstantTime.isEqual(bytes.suffix(token.count), token) {
        password = Secret(String(decoding: bytes.dropLast(token.count), as: UTF8.self))
      } else if !isTrusted(request.clientAddress) {
        // It costs the work of a wrong password and counts as one: the answer must not tell whether the password was right.
        password = Secret(RandomBytes.make(16).base64URL)
      }
    }
    let decision = await identity.verify(
      PasswordAttempt(
        username: found?.name ?? name, tenant: found.map(\.tenant) ?? entry.orgs.first?.tenant, typed: name,
        password: password, source: GuessSource(request), pathway: pathway, requestID: request.id))
    switch decision {
    case .accepted(let user): return user
    case .refused: throw SalesforceOAuthFailure.authenticationFailure
    case .wait(let delay): throw SalesforceOAuthFailure.wait(delay)
    case .overloaded(let delay): throw SalesforceOAuthFailure.unavailable(delay)
    case .unavailable(let error): throw error
    }
  }

  /// The user of that name in the first org that has one.
  func user(named name: String, _ entry: SalesforceEntry) async throws(ServerError) -> User? {
    for org in entry.orgs {
      if let user = try await identity.user(named: name, tenant: org.tenant) { return user }
    }
    return nil
  }

  private func isTrusted(_ address: String) -> Bool {
    guard let address = ClientAddress(address) else { return false }
    return configuration.trustedAddresses.contains { ClientAddress($0)?.bytes == address.bytes }
  }

  // MARK: An assertion

  /// `grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer`
  func assertion(
    _ request: DoorRequest, _ form: SalesforceForm, _ entry: SalesforceEntry
  ) async throws -> [(String, JSONValue)] {
    guard let text = form["assertion"] else { throw SalesforceOAuthFailure.missing("assertion") }
    guard let assertion = PresentedSalesforceAssertion(text) else {
      try await noteRefusal(AuditEvent(.grantRefused, .wrong))
      throw SalesforceOAuthFailure("invalid_grant", "invalid assertion")
    }
    let known = try await knownApp(assertion.issuer)
    do {
      return try await issue(for: assertion, known, form, entry)
    } catch let refusal as AssertionRefusal {
      try await noteRefusal(AuditEvent(.grantRefused, refusal.cause, user: refusal.user, client: known.client.id))
      throw refusal.failure
    }
  }

  /// Why an assertion gets no token.
  private struct AssertionRefusal: Error {
    let failure: SalesforceOAuthFailure
    let cause: AuditCause
    var user: String?

    init(_ failure: SalesforceOAuthFailure, _ cause: AuditCause, user: String? = nil) {
      self.failure = failure
      self.cause = cause
      self.user = user
    }

    init(_ description: String, _ cause: AuditCause, user: String? = nil) {
      self.init(SalesforceOAuthFailure("invalid_grant", description), cause, user: user)
    }
  }

  private func issue(
    for assertion: PresentedSalesforceAssertion, _ known: KnownApp, _ form: SalesforceForm, _ entry: SalesforceEntry
  ) async throws -> [(String, JSONValue)] {
    guard let key = assertionKeys[known.client.id], assertion.isSigned(by: key, at: now) else {
      throw AssertionRefusal("invalid assertion", .wrong)
    }
    guard assertion.isTimely(at: now) else { throw AssertionRefusal("expired assertion", .expired) }
    let expected = Set(audiences(entry))
    guard !expected.isDisjoint(with: assertion.audiences) else {
      throw AssertionRefusal("Audience validation failed", .otherAddress)
    }
    guard let user = try await user(named: assertion.subject, entry) else {
      throw AssertionRefusal(.notApproved, .unknownUser)
    }
    guard !user.isDisabled else { throw AssertionRefusal(.inactiveUser, .userDisabled, user: user.id) }
    let isApproved =
      known.app.permittedUsers == .preauthorized
      ? true : try await tokens.grants(userID: user.id).contains { $0.clientID == known.client.id }
    guard isApproved else { throw AssertionRefusal(.notApproved, .notOnTheList, user: user.id) }
    let scopes = try scopes(form["scope"], of: known.app).filter { !Self.refreshScopes.contains($0) }
    // RFC 7523 §3: with `jti` or without it, an assertion is valid once.
    guard try await usedAssertions.take(assertion.mark, until: assertion.lastMoment, now: now) else {
      throw AssertionRefusal("assertion was used before", .reused, user: user.id)
    }
    let decision = try await tokens.issue(
      grantRequest(known, user: user, scopes: scopes, entry: entry, includesRefreshToken: false))
    switch decision {
    case .issued(let issued): return try answer(issued, known.app, entry, style: .plain)
    case .refused(let refusal): throw SalesforceOAuthFailure(code: refusal)
    }
  }

  /// The accepted audiences of an assertion: this server, or the vendor's, which apps have as a constant.
  private func audiences(_ entry: SalesforceEntry) -> [String] {
    let own = origin.description + entry.path
    return [own, own + "/services/oauth2/token", "https://login.salesforce.com", "https://test.salesforce.com"]
  }

  // MARK: Credentials for a code

  /// `POST /services/oauth2/authorize` of an app with a sign-in page of its own (headless identity): it sends
  /// credentials and gets a code.
  func authorizeHeadless(_ request: DoorRequest, _ entry: SalesforceEntry) async throws -> DoorResponse {
    let form = SalesforceForm(request)
    return try await withFailures(form, SalesforceOAuthFormat(request, form)) { format in
      guard form["response_type"] == "code_credentials" else { throw SalesforceOAuthFailure.unsupportedResponse }
      guard let key = form["client_id"] else { throw SalesforceOAuthFailure.missing("client_id") }
      let known = try await knownApp(key)
      guard known.app.allowsHeadlessSignIn else { throw SalesforceOAuthFailure.unsupportedResponse }
      guard let redirectURI = form["redirect_uri"] else { throw SalesforceOAuthFailure.missing("redirect_uri") }
      guard known.app.accepts(redirectURI) else { throw SalesforceOAuthFailure.redirectMismatch }
      guard request.headers["Auth-Request-Type"]?.lowercasedASCII == "named-user" else {
        throw SalesforceOAuthFailure("invalid_request", "unsupported Auth-Request-Type")
      }
      guard let (name, password) = Self.basic(request.headers[.authorization]) else {
        try await noteRefusal(AuditEvent(.passwordRefused, .wrong))
        throw SalesforceOAuthFailure.authenticationFailure
      }
      let scopes = try scopes(form["scope"], of: known.app)
      let challenge = try challenge(form)
      let user = try await user(
        name: name, password: password, request, entry, pathway: "salesforce.headless", mayNeedToken: false)
      let code = try await issueCode(
        known, user: user, scopes: scopes, redirectURI: redirectURI, challenge: challenge, entry: entry)
      let place =
        entry.community.map(communityMembers) ?? [("sfdc_community_url", .string(origin.description))]
      return try format.response(place + [("code", .string(code))])
    }
  }

  /// The PKCE challenge of a request, if it has one. The Mobile SDK names no method and uses S256.
  /// - Throws: `SalesforceOAuthFailure` for `plain` and for a text that can't be a challenge.
  func challenge(_ form: SalesforceForm) throws -> CodeChallenge? {
    guard let text = form["code_challenge"] else { return nil }
    let bare = String(text.bytePrefix(before: "="))
    guard let challenge = CodeChallenge(bare, method: form["code_challenge_method"] ?? "S256") else {
      throw SalesforceOAuthFailure("invalid_request", "invalid code challenge")
    }
    return challenge
  }

  /// A code, as clients see it.
  /// - Throws: `SalesforceOAuthFailure`.
  func issueCode(
    _ known: KnownApp, user: User, scopes: [String], redirectURI: String, challenge: CodeChallenge?,
    entry: SalesforceEntry
  ) async throws -> String {
    let grant = grantRequest(
      known, user: user, scopes: scopes, entry: entry,
      includesRefreshToken: !Self.refreshScopes.isDisjoint(with: scopes))
    let request = CodeRequest(
      grant: grant, redirectURI: redirectURI, challenge: challenge, prefix: SalesforceTokenText.codePrefix)
    switch try await tokens.issueCode(request) {
    case .issued(let code): return SalesforceTokenText.padded(code)
    case .refused(let refusal): throw SalesforceOAuthFailure(code: refusal)
    }
  }
}
