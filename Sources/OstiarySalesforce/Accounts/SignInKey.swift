internal import Foundation
internal import OstiaryCore
internal import OstiaryOAuth

/// By what two sign-ins are one: the same credential or flow, with the same settings. What can't be compared is the same as
/// nothing else.
struct SignInKey: Equatable, Sendable {
  private enum What: Equatable, Sendable {
    case password(String, Secret)
    case proof(Proof)
    case flow(UUID)
    case namedFlow(String)
    case alone(UUID)
  }

  private let what: What
  private let passwords: String
  private let host: String

  init(
    _ credential: Credential, _ passwords: SalesforcePasswords, _ flow: OAuthFlow?, _ name: String?,
    _ host: SalesforceLoginHost
  ) {
    switch credential {
    case .password(let username, let password): what = .password(username, password)
    case .proof(let proof): what = .proof(proof)
    case .byHandler: what = name.map(What.namedFlow) ?? flow.map { .flow($0.id) } ?? .alone(UUID())
    case .request: what = .alone(UUID())
    }
    self.passwords = "\(passwords)"
    self.host = host.description
  }
}
