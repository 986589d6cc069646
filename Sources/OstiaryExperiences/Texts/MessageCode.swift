/// A stable code of a server, by which a message is worded in the user's language.
struct MessageCode: Sendable, Hashable {
  /// What happened, such as `email.taken`.
  var name: String
  /// The number that its text names, such as the seconds to wait.
  var limit: Int?
}
