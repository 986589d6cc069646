import Foundation
internal import GRDB
internal import OstiaryCore

/// An authorization code as the database has it.
struct CodeRow: Sendable {
  let clientID: String
  /// Who has approved, as they were.
  let user: (id: String, generation: Int)?
  let pending: PendingGrant
  let expiresAt: Date
  let isSpent: Bool
  /// What came of it.
  let grantID: Int64?
  private let redirectURI: String?
  private let challenge: CodeChallenge?

  private init(_ row: Row) throws {
    clientID = row["client_id"]
    let userID: String? = row["user_id"]
    let generation: Int? = row["user_generation"]
    user = userID.map { ($0, generation ?? 0) }
    pending = try PendingGrant(column: row["request"])
    expiresAt = Date(timeIntervalSince1970: row["expires_at"])
    isSpent = row["spent"]
    grantID = row["grant_id"]
    redirectURI = row["redirect_uri"]
    let value: String? = row["challenge"]
    challenge = try value.map { value in
      guard let challenge = CodeChallenge(value, method: "S256") else {
        throw ServerError(.storageCorrupt, "A stored code is damaged.", advice: "Restore a backup.")
      }
      return challenge
    }
  }

  static func find(_ hash: TokenHash, in db: GRDB.Database) throws -> CodeRow? {
    try Row.fetchOne(
      db.cachedStatement(sql: "SELECT * FROM authorization_codes WHERE code_hash = ?"), arguments: [hash.data]
    ).map(CodeRow.init)
  }

  /// Why the code isn't for whoever presents that with it.
  func refusal(redirectURI presented: String?, verifier: Secret?, policy: TokenPolicy) -> TokenRefusal? {
    // Byte for byte: `==` takes texts for equal that Unicode does.
    if let presented, redirectURI.map({ $0.utf8.elementsEqual(presented.utf8) }) != true { return .otherRedirectURI }
    if presented == nil, redirectURI != nil, challenge == nil { return .otherRedirectURI }
    guard let challenge else { return verifier == nil ? nil : .codeVerifierUnexpected }
    guard let verifier = verifier?.reveal(), !verifier.isEmpty else { return .codeVerifierMissing }
    guard (43...max(policy.longestCodeVerifier, 43)).contains(verifier.utf8.count), challenge.matches(verifier) else {
      return .codeVerifierWrong
    }
    return nil
  }
}
