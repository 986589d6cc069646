internal import Foundation
internal import OstiaryCore
internal import OstiaryOAuth
internal import OstiaryPrivateFiles

/// What has to be found before a profile of the kind oidc can be made: the server that an API names, and a client that is registered there.
struct OpenIDLogin: Sendable {
  /// The API of the profile.
  let server: String?
  /// Options of the kind.
  let options: [String]

  /// Finds it.
  /// - Parameters:
  ///   - kind: the kind of server on the command line.
  ///   - issuer: the server on the command line.
  ///   - server: the API by `--server`.
  ///   - given: the options by `--option`.
  ///   - transport: the way to the servers; it is closed afterwards.
  /// - Throws: ``OstiaryError``.
  static func find(
    _ kind: String, issuer: String?, server: String?, _ words: OpenIDOptions, given: [String], folders: Folders,
    _ environment: CommandEnvironment, transport: () throws -> CommandTransport
  ) async throws -> OpenIDLogin {
    guard kind.lowercased() == OpenIDKind.name else {
      guard issuer == nil, !words.isGiven else { throw OstiaryError.usage(OpenIDMessage.onlyForOpenID(kind: kind)) }
      return OpenIDLogin(server: server, options: given)
    }
    func option(_ name: String) -> String? {
      given.last { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }
    let api = words.api ?? server
    var options = try given + words.texts()
    let named = issuer ?? option("issuer")
    guard named != nil || words.api != nil else { throw OstiaryError.usage(OpenIDMessage.noIssuer) }
    let hasClient = words.clientID != nil || option("client-id") != nil
    guard !words.register || !hasClient else { throw OstiaryError.usage(OpenIDMessage.clientTwice) }
    guard hasClient || words.register || named == nil else {
      throw OstiaryError.usage(OpenIDMessage.noClient(issuer: named ?? ""))
    }
    guard named == nil || words.register else {
      if let issuer { options.append("issuer=\(issuer)") }
      return OpenIDLogin(server: api ?? named, options: options)
    }
    let transport = try transport()
    do {
      let directory = ServerDirectory(transport: transport, clock: environment.clock)
      let found = if let named { named } else { try await ask(words.api ?? "", directory, environment) }
      options.append("issuer=\(found)")
      if words.register {
        options += try await register(
          at: found, redirectURI: option("redirect-uri"), scope: words.scope ?? option("scope"), directory, folders,
          environment)
      } else if !hasClient {
        throw OstiaryError.usage(OpenIDMessage.noClient(issuer: found))
      }
      await transport.close()
      return OpenIDLogin(server: api ?? found, options: options)
    } catch {
      await transport.close()
      throw error
    }
  }

  /// The server that an API names, when the person goes there: an API may not choose where a password is typed.
  private static func ask(
    _ api: String, _ directory: ServerDirectory, _ environment: CommandEnvironment
  ) async throws -> String {
    guard let address = URL(string: api), Origin(address) != nil else {
      throw OstiaryError.usage(ServerAddressMessage.noServer(api))
    }
    let resources = try ResourceDirectory(
      api: address,
      issuers: .asking { question in
        guard let issuer = question.issuers.first else { return nil }
        guard environment.terminal.isAvailable else {
          throw OstiaryError(.interactionRequired, OpenIDMessage.noPersonToAsk(issuer: issuer))
        }
        let answer = try await environment.terminal.askSecret(
          OpenIDMessage.question(api: address.absoluteString, issuer: issuer))
        guard answer.reveal().trimmingCharacters(in: .whitespaces).lowercased() == "y" else {
          throw OstiaryError(.interactionCancelled, OpenIDMessage.declined(issuer: issuer))
        }
        return issuer
      }, in: directory)
    return try await resources.findByAsking().issuer
  }

  /// Has a client registered, once for an issuer: what the server gave is kept in a file that only its owner can read.
  /// - Returns: options of the kind.
  private static func register(
    at issuer: String, redirectURI: String?, scope: String?, _ directory: ServerDirectory, _ folders: Folders,
    _ environment: CommandEnvironment
  ) async throws -> [String] {
    let name = String(FormEncoding.serialize([(name: "", value: issuer)]).dropFirst().suffix(200))
    let file = PrivateFile(
      url: folders.state.appending(path: "registrations", directoryHint: .isDirectory).appending(path: name + ".json"))
    let address = redirectURI ?? OpenIDKind.usualRedirectURI
    let registration: OAuthRegistration
    if let kept = try OAuthSignIn.registration(in: file), kept.issuer == issuer,
      kept.members["redirect_uris"]?.array?.contains(.string(address)) ?? true
    {
      registration = kept
    } else {
      // data: the command's own name
      let client = ClientDescription.native(name: "ostiary", redirectURIs: [address], scope: scope)
      registration = try await directory.register(client, at: issuer)
      try file.replace(with: JSONEncoder().encode(registration))
      environment.console.note(OpenIDMessage.registered(client: registration.clientID, issuer: issuer))
    }
    return ["client-id=\(registration.clientID)", "registration-file=\(file.url.path(percentEncoded: false))"]
  }
}
