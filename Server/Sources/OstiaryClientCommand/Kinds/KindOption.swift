internal import Foundation
internal import OstiaryCore

/// An option of a kind of server, besides the address and the user: `--option NAME=VALUE`.
struct KindOption: Sendable {
  /// Its name, as on the command line.
  let name: String
  /// Its description, in a few words.
  let help: String
  /// Whether another value means another account, with another session.
  let isPartOfAccount: Bool
  /// Whether a profile requires it.
  var isRequired = true
  /// Whether its value is shown to no one, and can be read from a file: `--option NAME=@FILE`.
  var isSecret = false
}

extension KindOption {
  /// Allows passwords in the clear: for networks that the user explicitly trusts.
  static let insecureHTTP = KindOption(
    name: "insecure-http", help: "allowed: send the password over plain http, where others can read it",
    isPartOfAccount: false, isRequired: false)
}

extension Profile {
  /// Reads an option's address, or its path on the profile's server.
  /// - Throws: ``OstiaryError`` `invalidInput` for anything else.
  func address(_ text: String, option: String) throws -> URL {
    guard let url = URL(string: text, relativeTo: server)?.absoluteURL, Origin(url) != nil else {
      throw OstiaryError.usage(KindMessage.noAddress(option: option))
    }
    return url
  }

  /// Whether the password may be sent over plain HTTP: within this machine, or if the profile allows it.
  /// - Throws: ``OstiaryError`` `invalidInput` for a value that is not clearly a yes.
  func allowsInsecureHTTP(to origins: [Origin]) throws -> Bool {
    switch options?[KindOption.insecureHTTP.name] {
    case nil: return origins.allSatisfy(\.isLoopback)
    case "allowed": return true
    default: throw OstiaryError.usage(KindMessage.onlyValue(option: KindOption.insecureHTTP.name, value: "allowed"))
    }
  }
}
