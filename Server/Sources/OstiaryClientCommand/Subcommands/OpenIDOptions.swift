internal import ArgumentParser
internal import Foundation
internal import OstiaryCore

/// The options of `ostiary login oidc` and `oauth`, in the words of OpenID Connect. Each is also an option of the kind (`--option`).
struct OpenIDOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The API, as --server. For oidc without an issuer it names its server, and you are asked whether to go there.",
      valueName: "url"))
  var api: String?

  @Option(name: .customLong("client-id"), help: ArgumentHelp("The client, as the server knows it.", valueName: "id"))
  var clientID: String?

  @Option(help: ArgumentHelp("What the token is for, in words separated by blanks.", valueName: "words"))
  var scope: String?

  @Flag(help: "Bind the tokens to a key of this profile's own (DPoP).")
  var dpop = false

  @Flag(help: "For oidc: have the server register a client, once for an issuer.")
  var register = false

  @Option(
    name: .customLong("param"), parsing: .singleValue,
    help: ArgumentHelp("A further parameter of the server's page.", valueName: "name=value"))
  var parameters: [String] = []

  /// Whether any of them is given.
  var isGiven: Bool {
    api != nil || clientID != nil || scope != nil || dpop || register || !parameters.isEmpty
  }

  /// The same as options of the kind.
  /// - Throws: ``OstiaryError`` `invalidInput` for a parameter without a name.
  func texts() throws -> [String] {
    var texts: [String] = []
    if let clientID { texts.append("client-id=\(clientID)") }
    if let scope { texts.append("scope=\(scope)") }
    if dpop { texts.append("dpop=on") }
    let pairs = try parameters.map { text in
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, !parts[0].isEmpty else { throw OstiaryError.usage(OpenIDMessage.badParameter(text)) }
      return (name: parts[0], value: parts[1])
    }
    if !pairs.isEmpty { texts.append("param=\(FormEncoding.serialize(pairs))") }
    return texts
  }
}
