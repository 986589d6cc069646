internal import OstiaryCore

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

extension KindOption {
  /// Lets passwords travel in the clear: for networks that somebody trusts in so many words.
  static let insecureHTTP = KindOption(
    name: "insecure-http", help: "allowed: send the password over plain http, where others can read it",
    isPartOfAccount: false, isRequired: false)
}

extension Profile {
  /// Whether the password may travel over plain http: within this machine, or where the profile says so.
  /// - Throws: ``OstiaryError`` `invalidInput` for a value that is not plainly a yes.
  func allowsInsecureHTTP(to origins: [Origin]) throws -> Bool {
    switch options?[KindOption.insecureHTTP.name] {
    case nil: return origins.allSatisfy(\.isLoopback)
    case "allowed": return true
    default: throw OstiaryError.usage("The option “insecure-http” can only be “allowed”.")
    }
  }
}
