internal import Foundation
internal import OstiaryCore
internal import OstiaryGateway

/// One account at one server, as given to `ostiary login`. It contains no secret.
struct Profile: Sendable, Codable, Equatable {
  /// The user's name for it.
  let name: String
  /// The kind of server (`pega`).
  let kind: AuthenticatorKind
  /// The server's base URL.
  let server: URL
  /// The user name to sign in with; empty if the server returns it.
  let user: String
  /// The method of signing in, if the kind of server has more than one.
  let method: String?
  /// Further options of the kind of server. (Not in profiles of the first versions.)
  var options: [String: String]?
  /// A JSON file with what the server calls things, if it differs from what its vendor has published. It is read by every command. (Not in
  /// profiles of the first versions.)
  var configurationFile: String?
  /// A PEM file with certificates to trust for this server.
  let certificateFile: String?
  /// The profile of the gateway in front of the server, if there is one. (Not in profiles of the first versions.)
  var behind: String?
  /// The user's name at the server, if no user name was given. (Not in profiles of the first versions.)
  var username: String?
  /// Where the password comes from when no person is asked. (Not in profiles of the first versions.)
  var passwordSource: PasswordSource?

  /// The server's origin, for people.
  var place: String { Origin(server)?.description ?? server.absoluteString }

  /// The name of a profile that gets none from the user.
  /// - Parameter isOneOfSeveral: whether the server has a profile of another kind, too.
  static func defaultName(
    user: String, server: URL, kind: AuthenticatorKind, isOneOfSeveral: Bool = false
  ) -> String {
    // A gateway and the server behind it often have one address, and one user.
    let prefix = kind == .gateway || isOneOfSeveral ? "\(kind.rawValue):" : ""
    return "\(prefix)\(user.isEmpty ? "" : user + "@")\(Origin(server)?.authority ?? "server")".printable
  }

  /// Whether a text can be a profile's name: any short text that can be shown and typed.
  static func isValid(name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 200 && name == name.printable
      && name.trimmingCharacters(in: .whitespaces) == name
  }
}
