import Foundation
import OstiaryCore
import OstiaryGateway
import OstiaryOAuth

// What a life's processes sign in with, and where.
extension WholeLife {
  func gateway(_ gate: Int) throws -> GatewayAuthenticator {
    let server = Self.url("/gate\(gate)/check")
    let login = try FormLogin("gate \(gate)", at: server, sign: .named("gate\(gate)"))
    var authenticator = try GatewayAuthenticator(server: server, handlers: [login])
    authenticator.logout = .visit(Self.url("/gate\(gate)/logout"))
    authenticator.sessionCookieNames = ["gw\(gate)"]
    return authenticator
  }

  func oauth() throws -> OAuthAuthenticator {
    let client = try OAuthClient(
      id: "app",
      endpoints: OAuthEndpoints(
        token: Self.url("/oauth/token"), revocation: Self.url("/oauth/revoke"), userInfo: Self.url("/oauth/userinfo")))
    var authenticator = try OAuthAuthenticator(server: Self.url("/"), client: client)
    authenticator.insecurelyTakesPasswords = true
    return authenticator
  }

  static func url(_ path: String) -> URL {
    URL(string: "https://\(LifeServers.host)\(path)") ?? URL(filePath: "/")
  }

  static func password(_ user: String) -> Credential {
    .password(username: user, password: Secret(LifeServers.passwords[user] ?? ""))
  }

  static func path(_ kind: LifeKind) -> String {
    switch kind {
    case .oauth, .gateway: "/api/things"
    case .pega: "/prweb/api/v1/cases"
    case .newzulu: "/services/json"
    }
  }
}
