internal import OstiaryCore
internal import OstiaryJOSE

/// What a session keeps of the verification of its ID token: with the key, the next one is verified without a request.
struct IDTokenTrust: Sendable, Hashable {
  /// The issuer's key; `nil` for the client's own secret.
  var key: PublicJWK?
  /// The user's session at the server (`sid`). An ID token of a renewal may leave it out.
  var sessionID: String?

  init(_ token: IDToken, keeping earlier: IDTokenTrust?) {
    key = token.key
    sessionID = token.sessionID ?? earlier?.sessionID
  }

  /// What a session has kept.
  init?(_ text: Secret) {
    guard let members = try? StrictJSON.object([UInt8](text.reveal().utf8)) else { return nil }
    key = members["key"]?.object.flatMap { try? PublicJWK(members: $0) }
    sessionID = members["sid"]?.string
  }

  /// As text, for a session's proof.
  var text: Secret {
    var members: [String: JSONValue] = [:]
    members["key"] = (key?.members).map(JSONValue.object)
    members["sid"] = sessionID.map(JSONValue.string)
    return Secret(String(decoding: CompactJSON.object(members) ?? [], as: UTF8.self))
  }

  /// The set of the kept key.
  var keys: KeySet? { key.flatMap { try? VerificationKey($0) }.map { KeySet([$0]) } }
}
