/// Something that a kind of server has to know besides the address and the user: `--option NAME=VALUE`.
struct KindOption: Sendable {
  /// Its name, as on the command line.
  let name: String
  /// What it is, in a few words.
  let help: String
  /// Whether another value makes it another account, whose session is another one.
  let isPartOfAccount: Bool
  /// Whether a profile can't do without.
  var isRequired = true
}
