internal import Foundation
public import OstiaryCore

/// Keeps the session across launches, and passwords when you ask for it.
///
/// Stores with the same identifier share what they keep; those with different ones know nothing of each other. A session is
/// found again only with the e-mail address and the tenant that it was made for.
///
/// On Apple platforms it rests in the keychain: after the first unlock, on this device only. On Linux it rests in the
/// desktop's keyring, where the package's trait `SecretService` is on and there is one, and elsewhere in encrypted
/// files of this user's alone, with a key file beside their folder: a process that can read both can read the session.
/// Once it has begun with one of the two it stays there.
///
/// The vendor's page says that it "provides methods for storing and retrieving passwords", without their names; these are
/// our choice.
public struct KeychainStore: SessionStore {
  /// The identifier that the store was made with.
  public let identifier: String
  public let storage: any OstiaryCore.SessionStore

  /// Opens a store.
  /// - Parameter identifier: names your application.
  public init(identifier: String) {
    self.init(identifier: identifier, storage: Self.defaultStore(identifier: identifier))
  }

  package init(identifier: String, storage: any OstiaryCore.SessionStore) {
    self.identifier = identifier
    self.storage = storage
  }

  /// Keeps a password. Nothing else ever writes one.
  /// - Throws: ``NewzuluError`` `unknown` when the store can't be written now.
  public func savePassword(_ password: String, forEmail email: String, userVHost: String? = nil) async throws {
    do {
      try await storage.save(Data(password.utf8), for: Self.key(email, userVHost), replacing: .anything)
    } catch {
      throw NewzuluError(error)
    }
  }

  /// The password that is kept for an account.
  /// - Returns: `nil` when there is none.
  /// - Throws: ``NewzuluError`` `unknown` when the store can't tell now: that is not the same as none.
  public func password(forEmail email: String, userVHost: String? = nil) async throws -> String? {
    switch await storage.load(Self.key(email, userVHost)) {
    case .absent: return nil
    case .unavailable(let error): throw NewzuluError(error)
    case .present(let data): return String(data: data, encoding: .utf8)
    }
  }

  /// Removes the password that is kept for an account, if there is one.
  /// - Throws: ``NewzuluError`` `unknown` when the store can't be written now.
  public func removePassword(forEmail email: String, userVHost: String? = nil) async throws {
    do {
      try await storage.remove(Self.key(email, userVHost), ifHolding: .anything)
    } catch {
      throw NewzuluError(error)
    }
  }

  private static func key(_ email: String, _ userVHost: String?) -> SessionKey {
    SessionKey("newzulu-password \(PercentEncoding.encode(userVHost ?? "")) \(PercentEncoding.encode(email))")
  }
}
