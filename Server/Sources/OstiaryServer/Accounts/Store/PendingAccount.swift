/// An account that will be made when somebody shows that the address is theirs. It has the password's hash, never the
/// password.
struct PendingAccount: Codable, Sendable {
  let email: String
  let displayName: String
  let password: String
  let work: Int
}
