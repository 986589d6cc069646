import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import Ostiary
import OstiaryOAuth

/// A site of a Hummingbird server, whose users sign in at an OpenID provider. Several processes with one folder are one site.
///
///     RelyingParty ISSUER CLIENT_ID ADDRESS PORT FOLDER
///
/// ADDRESS is how browsers reach the site; its callback is registered at the provider as ADDRESS/callback. The client's secret, where it has
/// one, is the variable CLIENT_SECRET.
@main
struct Main {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 6, let issuer = URL(string: arguments[1]), let port = Int(arguments[4]),
      let callback = URL(string: arguments[3] + "/callback")
    else {
      print("usage: RelyingParty ISSUER CLIENT_ID ADDRESS PORT FOLDER")
      exit(2)
    }
    do {
      // For this user alone: it has the key that opens all sessions.
      let folder = URL(filePath: arguments[5], directoryHint: .isDirectory)
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      let transport = PlatformTransport()
      let secret = ProcessInfo.processInfo.environment["CLIENT_SECRET"]
      let authentication = secret.map { ClientAuthentication.secretBasic(Secret($0)) } ?? ClientAuthentication.none
      let client = try OAuthClient(
        id: arguments[2], authentication: authentication, issuer: arguments[1],
        in: ServerDirectory(transport: transport))
      let source: BuiltInKeys = .keyFile(folder.appending(path: "keys"))
      let sessions = SiteSessions(
        authenticator: try OAuthAuthenticator(server: issuer, client: client),
        store: EncryptedFileStore(in: folder.appending(path: "sessions"), key: source), transport: transport)
      let party = RelyingParty(
        address: arguments[3], callback: callback, client: client, sessions: sessions,
        keys: try await Self.keys(of: source), context: AuthenticationContext(transport: transport))
      try await Self.serve(party, port)
    } catch let error as OstiaryError {
      print("\(error)")
      exit(1)
    }
  }

  /// Made by the first process that asks.
  private static func keys(of source: BuiltInKeys) async throws -> SealingKeys {
    if let keys = try await source.keys() { return keys }
    return try await source.makeKey(after: nil)
  }

  private static func serve(_ party: RelyingParty, _ port: Int) async throws {
    let router = Router(context: BasicRequestContext.self)
    router.get("/") { request, _ in try await party.answer { try await party.home(request) } }
    router.get("/sign-in") { _, _ in try await party.answer { try await party.signIn() } }
    router.get("/callback") { request, _ in try await party.answer { try await party.finish(request) } }
    router.post("/sign-out") { request, _ in try await party.answer { try await party.signOut(request) } }
    router.post("/backchannel-logout") { request, _ in
      try await party.answer { try await party.backChannelLogout(request) }
    }
    router.get("/frontchannel-logout") { request, _ in
      try await party.answer { try await party.frontChannelLogout(request) }
    }
    var logger = Logger(label: "site")
    logger.logLevel = .error
    let application = Application(
      router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)), logger: logger)
    try await application.runService()
  }
}
