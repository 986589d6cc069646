import Foundation
internal import OstiaryCore

/// An authorization code as the database has it.
struct CodeRow: Sendable {
  let clientID: String
  /// The user who has approved, with the generation of that moment.
  let user: (id: String, generation: Int)?
  let pending: PendingGrant
  let expiresAt: Date
  let isSpent: Bool
  /// The grant that the code was redeemed for.
  let grantID: Int64?
  private let redirectURI: String?
  private let challenge: CodeChallenge?

  private init(_ reader: inout ColumnReader) throws {
    clientID = reader.next()
    let (userID, generation): (String?, Int?) = (reader.next(), reader.next())
    user = userID.map { ($0, generation ?? 0) }
    pending = try PendingGrant(column: reader.next())
    expiresAt = reader.next()
    isSpent = reader.next()
    grantID = reader.next()
    redirectURI = reader.next()
    let value: String? = reader.next()
    challenge = try value.map { value in
      guard let challenge = CodeChallenge(value, method: "S256") else {
        throw ServerError(.storageCorrupt, "A stored code is damaged.", advice: "Restore a backup.")
      }
      return challenge
    }
  }

  static func find(_ hash: TokenHash, in db: StorageConnection) throws -> CodeRow? {
    try db.first(CodeStatements.sql.find, hash.data) { try CodeRow(&$0) }
  }

  /// The code, for a transaction that redeems it.
  static func findForUse(_ hash: TokenHash, in db: StorageConnection) throws -> CodeRow? {
    try db.first(CodeStatements.sql.findForUse, hash.data) { try CodeRow(&$0) }
  }

  /// Why the code can't be redeemed with these parameters.
  func refusal(redirectURI presented: String?, verifier: Secret?, policy: TokenPolicy) -> TokenRefusal? {
    // Compared byte for byte: `==` treats canonically equivalent Unicode texts as equal.
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
