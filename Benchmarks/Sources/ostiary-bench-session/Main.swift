import Foundation
import Ostiary
import OstiaryOAuth

/// `ostiary-bench-session URL FOLDER [sign-in | expired]`: one request of a program that finds its session in a folder; with the third
/// argument it stores the session there instead, good for a day or expired.
@main
enum Main {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count > 2, let url = URL(string: arguments[1]) else { exit(2) }
    let client = try OAuthClient(id: "bench", endpoints: OAuthEndpoints(token: url))
    let lifetime: TimeInterval = arguments.last == "expired" ? -3600 : 86_400
    let flow = OAuthFlow(needsPerson: true) { _, context in
      TokenSet(
        accessToken: lifetime < 0 ? "old" : "access", refreshToken: "refresh",
        expiresAt: context.clock.now.addingTimeInterval(lifetime))
    }
    let manager = SessionManager(
      authenticator: try OAuthAuthenticator(server: url, client: client, flow: flow),
      transport: AsyncHTTPClientTransport(), store: FileStore(folder: URL(fileURLWithPath: arguments[2])))
    if arguments.count > 3 {
      try await manager.signIn(with: .byHandler)
      return
    }
    let response = try await AuthenticatedTransport(manager).get(url)
    guard response.status == .ok, !response.body.isEmpty else { exit(1) }
  }
}
