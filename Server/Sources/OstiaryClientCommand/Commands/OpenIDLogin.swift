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
  ///   - method: the way to sign in by `--method`.
  ///   - given: the options by `--option`.
  ///   - trace: gets what is sent and received.
  ///   - ways: the connections to the servers, which are closed afterwards, and the way over them, through the gateways in front.
  /// - Throws: ``OstiaryError``.
  static func find(
    _ kind: String, issuer: String?, server: String?, method: String?, _ words: OpenIDOptions, given: [String],
    folders: Folders, trace: TraceFile?, _ environment: CommandEnvironment,
    ways: () throws -> (transport: CommandTransport, way: any Transport)
  ) async throws -> OpenIDLogin {
    if kind.lowercased() == OAuthKind.name {
      guard issuer == nil, !words.register else { throw OstiaryError.usage(OpenIDMessage.withoutMetadata) }
      guard words.api == nil || server == nil else { throw OstiaryError.usage(OpenIDMessage.apiTwice) }
      return OpenIDLogin(server: words.api ?? server, options: try given + words.texts())
    }
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
    // What follows tells of both.
    guard [named, api].allSatisfy({ $0 == $0?.withoutUserInformation }) else {
      throw OstiaryError.usage(ServerAddressMessage.userInformation)
    }
    let hasClient = words.clientID != nil || option("client-id") != nil
    guard words.api == nil || server == nil else { throw OstiaryError.usage(OpenIDMessage.apiTwice) }
    if let method, !OpenIDKind().methods.contains(method) {
      throw OstiaryError.usage(
        LoginMessage.unknownMethod(kind: OpenIDKind.name, method: method, known: OpenIDKind().methods))
    }
    guard !words.register || method != OpenIDKind.ownMethod else {
      throw OstiaryError.usage(OpenIDMessage.notForItself)
    }
    guard !words.register || !hasClient else { throw OstiaryError.usage(OpenIDMessage.clientTwice) }
    guard hasClient || words.register || named == nil else {
      throw OstiaryError.usage(OpenIDMessage.noClient(issuer: named ?? ""))
    }
    guard named == nil || words.register else {
      if let issuer { options.append("issuer=\(issuer)") }
      return OpenIDLogin(server: api ?? named, options: options)
    }
    let (transport, way) = try ways()
    do {
      let directory = ServerDirectory(transport: way, clock: environment.clock)
      let found = if let named { named } else { try await ask(words.api ?? "", directory, environment) }
      options.append("issuer=\(found)")
      if words.register {
        options += try await register(
          at: found, redirectURI: option("redirect-uri"), isDevice: method == OpenIDKind.deviceMethod,
          scope: words.scope ?? option("scope"), directory, folders, environment)
      } else if !hasClient {
        throw OstiaryError.usage(OpenIDMessage.noClient(issuer: found))
      }
      await transport.close()
      return OpenIDLogin(server: api ?? found, options: options)
    } catch {
      await transport.close()
      // The command ends here: what was found out is all that there is to tell.
      try? trace?.write()
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
          throw OstiaryError(
            .interactionRequired, OpenIDMessage.noPersonToAsk(api: address.absoluteString, issuer: issuer))
        }
        let words = OpenIDMessage.question(api: address.absoluteString, issuer: issuer)
        guard try await environment.terminal.agrees(to: words) else {
          throw OstiaryError(.interactionCancelled, OpenIDMessage.declined(issuer: issuer))
        }
        return issuer
      }, in: directory)
    return try await resources.findByAsking().issuer
  }

  /// Has a client registered, once for an issuer, a redirect URI and a method: what the server gave is kept in a file that only its owner
  /// can read. A file is never another client's: profiles that use one go on with it.
  /// - Returns: options of the kind.
  private static func register(
    at issuer: String, redirectURI: String?, isDevice: Bool, scope: String?, _ directory: ServerDirectory,
    _ folders: Folders, _ environment: CommandEnvironment
  ) async throws -> [String] {
    let place = RegistrationPlace(
      issuer: issuer, redirectURI: redirectURI ?? OpenIDKind.usualRedirectURI, isDevice: isDevice,
      in: folders.state.appending(path: "registrations", directoryHint: .isDirectory))
    let (file, kept) = try place.registration(at: environment.clock.now)
    let registration: OAuthRegistration
    if let kept {
      registration = kept
    } else {
      // data: the command's own name
      var client = ClientDescription.native(name: "ostiary", redirectURIs: [place.redirectURI], scope: scope)
      if isDevice { client.grantTypes?.append(RegistrationPlace.deviceGrant) }
      registration = try await directory.register(client, at: issuer)
      try file.replace(with: JSONEncoder().encode(registration))
      environment.console.note(OpenIDMessage.registered(client: registration.clientID, issuer: issuer))
    }
    return ["client-id=\(registration.clientID)", "registration-file=\(file.url.path(percentEncoded: false))"]
  }
}
