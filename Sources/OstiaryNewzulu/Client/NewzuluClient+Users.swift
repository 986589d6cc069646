internal import OstiaryCore

extension NewzuluClient {
  /// Registers a user in the project's tenant (`users.register`). The platform demands a developer's API key for it.
  /// - Returns: the new user's identifier.
  public func register(_ registration: NewzuluRegistration) async throws -> String {
    let result = try await call(
      configuration.calls.register,
      [
        "userData": .object(registration.members(configuration.userKeys)),
        "activate": .bool(registration.isActive),
      ], as: .app)
    guard let id = result.looseText else { throw Self.unexpected("The server did not say the new user's identifier.") }
    return id
  }

  /// Whether no user of the project's tenant has this e-mail address or name yet (`users.verifyUserEmail`).
  public func isAvailable(username: String? = nil, email: String? = nil) async throws -> Bool {
    var arguments: [String: JSONValue] = [:]
    arguments[configuration.userKeys.username] = username.map(JSONValue.string)
    arguments[configuration.userKeys.email] = email.map(JSONValue.string)
    return try await !call(configuration.calls.verifyUserEmail, arguments, as: .app).isFalsy
  }

  /// The user by identifier (`users.getUserInfo`).
  /// - Returns: `nil` when there is none.
  nonisolated(nonsending) public func getUserInfo(id: String) async throws -> NewzuluUser? {
    try await user(configuration.calls.getUserInfo, ["id": .string(id)])
  }

  /// The user by name, in the project's tenant or another (`users.getUserInfo`).
  /// - Returns: `nil` when there is none.
  nonisolated(nonsending) public func getUserInfo(username: String, vhost: String? = nil) async throws -> NewzuluUser? {
    try await user(
      configuration.calls.getUserInfo,
      ["username": .string(username), configuration.vhostArgument: .string(vhost ?? self.vhost)])
  }

  /// The user by e-mail address, in the project's tenant or another (`users.getUserInfoByEmail`).
  /// - Returns: `nil` when there is none.
  nonisolated(nonsending) public func getUserInfo(email: String, vhost: String? = nil) async throws -> NewzuluUser? {
    try await user(
      configuration.calls.getUserInfoByEmail,
      ["email": .string(email), configuration.vhostArgument: .string(vhost ?? self.vhost)])
  }

  /// The user who is signed in, as the server knows them now (`users.getLoggedInUser`).
  nonisolated(nonsending) public func getLoggedInUser() async throws -> NewzuluUser {
    let result = try await call(configuration.calls.getLoggedInUser, as: .user)
    guard let user = result.object.flatMap({ NewzuluUser($0, configuration: configuration) }) else {
      throw NewzuluAuthenticator.notAUser(result, configuration, hiding: secrets)
    }
    return user
  }

  private func user(_ method: String, _ arguments: [String: JSONValue]) async throws -> NewzuluUser? {
    let result = try await call(method, arguments)
    if result.isFalsy { return nil }
    guard let user = result.object.flatMap({ NewzuluUser($0, configuration: configuration) }) else {
      throw NewzuluAuthenticator.notAUser(result, configuration, hiding: secrets)
    }
    return user
  }
}
