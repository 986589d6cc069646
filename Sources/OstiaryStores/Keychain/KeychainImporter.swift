public import Foundation
public import OstiaryCore

/// Reads the tokens that another library, or an earlier version of the app, has left in the keychain, so that no user
/// has to sign in again because the app has changed its ways. It changes nothing there.
///
/// ```swift
/// let importer = KeychainImporter()
/// for account in try await importer.accounts(ofService: "com.example.old-library") {
///   let user = Session.User(id: account)
///   let grant = try await importer.grant(service: "com.example.old-library", account: account, user: user)
/// }
/// ```
///
/// It reads generic passwords whose data is a token response as JSON; see
/// ``/OstiaryCore/SessionGrant/init(tokenResponse:user:savedAt:)`` for what is understood. Items of iCloud's keychain and of
/// the file-based keychain of macOS are not looked at. On other platforms this type can't be made.
public struct KeychainImporter: Sendable {
  private let vault: KeychainVault
  private let queue = BlockingQueue(label: "ostiary.keychain-importer")

  /// Makes an importer above any keychain.
  package init(access: any KeychainAccess) {
    vault = KeychainVault(access: access, protection: KeychainProtection())
  }

  /// The accounts (`kSecAttrAccount`) of all items of a service (`kSecAttrService`), sorted.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `storeUnavailable` when the keychain can't tell now, such as while it is
  ///   locked: that is not the same as none.
  public func accounts(ofService service: String) async throws(OstiaryError) -> [String] {
    try await queue.run { [vault] () throws(OstiaryError) in try vault.accounts(of: service, marked: nil) }.sorted()
  }

  /// The tokens in an item.
  /// - Parameters:
  ///   - service: the item's service (`kSecAttrService`).
  ///   - account: the item's account (`kSecAttrAccount`).
  ///   - user: whose tokens they are; tokens don't say so dependably.
  ///   - savedAt: when the item was written, if the app knows. Otherwise tokens that say only how long they live count as
  ///     run out, and are renewed before they are used.
  /// - Returns: `nil` when there is no such item.
  /// - Throws: ``/OstiaryCore/OstiaryError``: `storeUnavailable` when the keychain can't tell now, `invalidInput` when the
  ///   item holds something else than tokens; what it holds stays out of the error.
  public func grant(
    service: String, account: String, user: Session.User, savedAt: Date? = nil
  ) async throws -> SessionGrant? {
    let item = VaultItem(service: service, account: account)
    let data = try await queue.run { [vault] () throws(OstiaryError) in try vault.copy(item) }
    guard let data else { return nil }
    return try SessionGrant(
      tokenResponse: data, user: user, savedAt: savedAt ?? Date(timeIntervalSince1970: 0))
  }
}
