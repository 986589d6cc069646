/// One protocol that the server speaks.
///
/// A door must answer on its routes as the system it imitates would, and must leave every decision about who somebody
/// is to the server's shared identity and session services. It must never block a thread, and never put a secret in
/// clear into a log, an error or a store.
public protocol Door: Sendable {
  /// A short name, as on a command line: `pega`.
  var name: String { get }

  /// What the door imitates, for people.
  var title: String { get }

  /// Where a client of this door is pointed at: an absolute URL under the server's public one.
  var address: String { get }

  /// What the door answers. Patterns of different doors must not collide.
  var routes: [Route] { get }

  /// A command, ready to paste into a shell, that signs `username` in through this door.
  func signIn(as username: String) -> String
}
