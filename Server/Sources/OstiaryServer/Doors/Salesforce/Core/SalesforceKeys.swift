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
    // The vendor's consumer keys begin with this text, and are 85 characters long.
    let newConsumerKey = "3MVG9" + RandomBytes.make(60).base64URL
    let newKey = RandomBytes.make(32).hexadecimal
    return try await storage.write { db in
      func value(_ name: String, _ new: String) throws -> String {
        try db.run(SalesforceStatements.sql.addKey, name, new)
        return try db.value(SalesforceStatements.sql.key, name) ?? new
      }
      return SalesforceKeys(
        consumerKey: try value("consumer key", newConsumerKey),
        key: SymmetricKey(data: Data(try value("security tokens", newKey).utf8)))
    }
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
