import Crypto
import Foundation
internal import OstiaryCore

/// The values that the server has made once, and stores with the users.
struct SalesforceKeys: Sendable {
  /// The consumer key of the app that exists if no other is configured.
  let consumerKey: String
  private let key: SymmetricKey

  /// The values in this storage, made now if it has none.
  static func load(from storage: ServerStorage) async throws(ServerError) -> SalesforceKeys {
    if let known = try await storage.read({ db in try stored(in: db) }) { return known }
    // The vendor's consumer keys begin with this text, and are 85 characters long.
    let newConsumerKey = "3MVG9" + RandomBytes.make(60).base64URL
    let newKey = RandomBytes.make(32).hexadecimal
    return try await storage.write { db in
      try db.run(SalesforceStatements.sql.addKey, consumerKeyName, newConsumerKey)
      try db.run(SalesforceStatements.sql.addKey, keyName, newKey)
      return try stored(in: db)
        ?? SalesforceKeys(consumerKey: newConsumerKey, key: SymmetricKey(data: Data(newKey.utf8)))
    }
  }

  // The database has these texts.
  private static let consumerKeyName = "consumer key"
  private static let keyName = "security tokens"

  /// Nil where one of them was not made yet.
  private static func stored(in db: StorageConnection) throws -> SalesforceKeys? {
    guard let consumerKey: String = try db.value(SalesforceStatements.sql.key, consumerKeyName),
      let key: String = try db.value(SalesforceStatements.sql.key, keyName)
    else { return nil }
    return SalesforceKeys(consumerKey: consumerKey, key: SymmetricKey(data: Data(key.utf8)))
  }

  /// The text that a user appends to the password at an address that isn't trusted: 24 characters, which change with the password.
  func securityToken(of user: User) -> Secret {
    Secret(
      String(
        code("token", "\(user.id) \(user.generation)").base64URL.replacing("-", with: "A")
          .replacing("_", with: "B").prefix(24)))
  }

  /// The key for the signatures of an app that has no secret.
  func signingKey(of app: String) -> SymmetricKey {
    SymmetricKey(data: code("signature", app))
  }

  private func code(_ purpose: StaticString, _ text: String) -> HMAC<SHA256>.MAC {
    HMAC<SHA256>.authenticationCode(for: Data("\(purpose) \(text)".utf8), using: key)
  }
}
