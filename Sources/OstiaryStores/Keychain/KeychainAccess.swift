package import Foundation

/// The five calls of the Security framework that a ``KeychainStore`` needs, so that everything above them can be tested
/// where there is no keychain.
///
/// Each must do one call, answer with its status, and decide nothing. It may block. An item is a generic password; its
/// service and account are `kSecAttrService` and `kSecAttrAccount`, and its mark `kSecAttrDescription`, which is readable
/// without the user's consent.
package protocol KeychainAccess: Sendable {
  /// Adds an item (`SecItemAdd`).
  func add(_ item: VaultItem, _ data: Data, _ mark: VaultItem.Mark, _ protection: KeychainProtection) -> KeychainStatus
  /// Changes the data and the mark of an item that is there (`SecItemUpdate`).
  func update(_ item: VaultItem, _ data: Data, _ mark: VaultItem.Mark) -> KeychainStatus
  /// Reads an item (`SecItemCopyMatching`).
  func copy(_ item: VaultItem) -> (KeychainStatus, Data?)
  /// Removes an item (`SecItemDelete`).
  func delete(_ item: VaultItem) -> KeychainStatus
  /// The accounts and marks of all items of a service, without their data (`SecItemCopyMatching`).
  func list(service: String) -> (KeychainStatus, [(account: String, mark: VaultItem.Mark)])
}
