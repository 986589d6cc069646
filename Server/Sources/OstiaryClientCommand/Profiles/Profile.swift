internal import Foundation
internal import OstiaryCore
internal import OstiaryGateway

/// One account at one server: what `ostiary login` was told. Holds no secret.
struct Profile: Sendable, Codable, Equatable {
  /// What the user calls it.
  let name: String
  /// The kind of server (`pega`).
  let kind: AuthenticatorKind
  /// The server's base URL.
  let server: URL
  /// The user name to sign in with; empty where the server says who signed in.
  let user: String
  /// How to sign in, where the kind of server knows more than one way.
  let method: String?
  /// What else the kind of server has to know. (Not in profiles of the first versions.)
  var options: [String: String]?
  /// A PEM file with certificates to trust for this server.
  let certificateFile: String?
  /// The profile of the gateway that stands in front of the server, where there is one. (Not in profiles of the first
  /// versions.)
  var behind: String?
  /// What the server calls who signed in, where no user name was given. (Not in profiles of the first versions.)
  var username: String?

  /// The server's origin, as people write it.
  var place: String { Origin(server)?.description ?? server.absoluteString }

  /// The name a profile gets when the user gives none.
  /// - Parameter isOneOfSeveral: whether the server has a profile of another kind, too.
  static func defaultName(
    user: String, server: URL, kind: AuthenticatorKind, isOneOfSeveral: Bool = false
  ) -> String {
    // A gateway and what stands behind it often have one address, and one user.
    let prefix = kind == .gateway || isOneOfSeveral ? "\(kind.rawValue):" : ""
    return "\(prefix)\(user.isEmpty ? "" : user + "@")\(Origin(server)?.authority ?? "server")".printable
  }

  /// Whether a name can be a profile's: anything short that can be shown and typed.
  static func isValid(name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 200 && name == name.printable
      && name.trimmingCharacters(in: .whitespaces) == name
  }
}
