import Foundation
import OstiaryCore

extension NewzuluDoor {
  /// `users.confirmCredentials`: false if they are wrong, with HTTP 200, as with the vendor.
  func confirmCredentials(_ call: NewzuluReceivedCall, _ caller: NewzuluCaller) async throws -> JSONValue {
    let vhost = try caller.requireVhost()
    let name = try call.arguments.requiredText("username", most: 4096)
    let password = try call.arguments.text("password", most: 65_536) ?? ""
    let wantsInfo = try call.arguments.flag("returnUserInfo", default: true)
    let signsIn = try call.arguments.flag("login", default: false) && wantsInfo

    let known = try await identity.user(loginName: name, tenants: tenants(of: vhost))
    let decision = await identity.verify(
      PasswordAttempt(
        username: known?.name ?? name, tenant: known.map(\.tenant) ?? vhost, typed: name, password: Secret(password),
        source: GuessSource(call.request), pathway: call.pathway, requestID: call.request.id))
    switch decision {
    case .accepted(let user):
      let account = try await accounts.signedIn(user, at: identity.clock.now)
      guard wantsInfo else { return id(account.number) }
      var members = info(of: account, vhost: vhost)
      if signsIn {
        guard let token = try await beginSession(of: user, vhost: vhost) else { return false }
        members["sessiontoken"] = .string(token.token.reveal())
      }
      return .object(members)
    case .refused: return false
    case .wait(let wait): throw NewzuluFailure.tooManyAttempts(wait)
    case .overloaded(let wait): throw NewzuluFailure.overloaded(wait)
    case .unavailable(let error): throw error
    }
  }

  /// Returns nil if the user was disabled or given another password since theirs was verified.
  private func beginSession(of user: User, vhost: String) async throws(ServerError) -> NewzuluToken? {
    let token = NewzuluToken.make()
    do {
      _ = try await sessions.begin(for: user, derivedID: token.sessionID, attributes: ["vhost": .string(vhost)])
      return token
    } catch {
      if error.code == .userChanged { return nil }
      throw error
    }
  }

  /// `users.getLoggedInUser` and `users.getUserBySessionToken`.
  func loggedInUser(_ caller: NewzuluCaller) async throws -> JSONValue {
    let user = try caller.requireUser()
    return .object(info(of: try await accounts.account(of: user), vhost: caller.session?.vhost))
  }

  /// The key of a search for a user.
  enum UserLookup: Sendable { case idOrUserName, userName, email }

  /// `users.getUserInfo` and similar calls: a key with the permission may read any user, every other caller only
  /// themselves. A request for another user gets the same refusal whether that user exists or not.
  func userInfo(_ call: NewzuluReceivedCall, _ caller: NewzuluCaller, by lookup: UserLookup) async throws -> JSONValue {
    let mayReadAll = caller.may(.readUsers)
    let own = mayReadAll ? caller.session?.user : try caller.requireUser()
    var found: User?
    if lookup == .idOrUserName, let number = try call.arguments.integer("id") {
      found = try await accounts.user(number: number)
      // A key for one tenant can't read users of other tenants.
      if let vhost = caller.key?.vhost, mayReadAll, let user = found, !tenants(of: vhost).contains(user.tenant) {
        found = nil
      }
    } else {
      let vhost = try caller.requireVhost()
      let text = try call.arguments.requiredText(lookup == .email ? "email" : "username", most: 4096)
      let user = try await identity.user(loginName: text, tenants: tenants(of: vhost))
      // The search finds a user by the name or by the address; the caller asked for one of them.
      let field = lookup == .email ? user?.email : user?.name
      found = field.map { NameKey($0) == NameKey(text) } == true ? user : nil
    }
    if let found, found.id == own?.id || mayReadAll {
      return .object(info(of: try await accounts.account(of: found), vhost: found.tenant ?? vhost))
    }
    guard mayReadAll else { throw NewzuluFailure.permissionDenied }
    return false
  }

  /// `users.register`: adds a user to a tenant and answers with the id.
  func register(_ call: NewzuluReceivedCall, _ caller: NewzuluCaller) async throws -> JSONValue {
    try caller.require(.registerUsers)
    let vhost = try caller.requireVhost()
    guard let data = try call.arguments.members("userData") else { throw call.arguments.invalid("userData") }
    let email = try data.text("email", most: 254)
    if let email, !Self.isEmail(email) { throw data.invalid("email") }
    guard let name = try data.text("user") ?? email, !name.isEmpty else { throw data.invalid("user") }
    let password = try data.requiredText("password", most: 65_536)
    let isActive = try call.arguments.flag("activate", default: true)
    let attributes = try NewzuluProfile.attributes(from: data)
    do {
      // The users without a tenant sign in here, too.
      for text in [name, email].compactMap({ $0 }) {
        guard try await identity.user(loginName: text, tenants: tenants(of: vhost)) == nil else {
          throw NewzuluFailure.userExists
        }
      }
      var user = try await identity.addUser(
        name: name, tenant: vhost, email: email, password: Secret(password), attributes: attributes,
        origin: .selfMade(isEmailVerified: false))
      if !isActive { user = try await identity.disableUser(named: name, tenant: vhost) }
      return id(try await accounts.account(of: user).number)
    } catch let error as ServerError {
      switch error.code {
      case .userExists: throw NewzuluFailure.userExists
      case .invalidUserName: throw data.invalid("user")
      case .passwordTooShort, .passwordTooLong, .passwordTooCommon: throw NewzuluFailure.passwordRefused
      default: throw error
      }
    }
  }

  /// `users.verifyUserEmail`: 1 if no user has the name or the address, otherwise 0.
  func verifyUserEmail(_ call: NewzuluReceivedCall, _ caller: NewzuluCaller) async throws -> JSONValue {
    try caller.require(.registerUsers)
    let vhost = try caller.requireVhost()
    let texts = [try call.arguments.text("user"), try call.arguments.text("email")].compactMap { $0 }
    guard !texts.isEmpty else { throw NewzuluFailure.invalidArgument("email") }
    for text in texts where try await identity.user(loginName: text, tenants: tenants(of: vhost)) != nil {
      return 0
    }
    return 1
  }

  // MARK: Answers

  func id(_ number: Int64) -> JSONValue {
    configuration.idStyle == .strings ? .string(String(number)) : .integer(number)
  }

  private func info(of account: NewzuluUserRecord, vhost: String?) -> [String: JSONValue] {
    var members = NewzuluProfile.members(of: account, missingNames: configuration.missingNames)
    members["id"] = id(account.number)
    members["vhost"] = vhost.map(JSONValue.string) ?? .null
    return members
  }

  /// One `@` with text on both sides, and only printable characters. Only a mail can show whether the address works.
  private static func isEmail(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
      && !text.unicodeScalars.contains { $0.isUnprintable || $0.properties.isWhitespace }
  }
}
