import OstiaryCore

/// A token's form for clients: an access token is the org's id, `!` and the token. Refresh tokens and codes end in
/// `==`: a client that forgets to encode them fails at once.
struct SalesforceTokenText: Sendable {
  /// The token, as the server stores it.
  let token: Secret
  /// The org, for an access token.
  let org: SalesforceRecordID?

  /// The prefix of refresh tokens.
  static let refreshPrefix = "5Aep861"
  /// The prefix of authorization codes.
  static let codePrefix = "aPrx"
  /// What an access token may be announced by in an `Authorization` field: `Bearer` or, from older clients, `OAuth`.
  static let schemes: Set<String> = ["bearer", "oauth"]

  /// Reads an access token; nil for anything else.
  init?(access text: String) {
    guard let (id, rest) = text.byteHalves(at: "!"), let org = SalesforceRecordID(String(id)), id.utf8.count == 15
    else {
      return nil
    }
    token = Secret(String(rest))
    self.org = org
  }

  /// Reads a token or a code of any kind. The equals signs at its end may be missing.
  init(any text: String) {
    if let access = SalesforceTokenText(access: text) {
      self = access
    } else {
      token = Secret(String(text.bytePrefix(before: "=")))
      org = nil
    }
  }

  /// An access token as clients see it.
  static func access(_ token: Secret, _ org: SalesforceOrg) -> String { org.id.short + "!" + token.reveal() }

  /// A refresh token or a code as clients see it.
  static func padded(_ token: Secret) -> String { token.reveal() + "==" }
}
