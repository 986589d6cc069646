package import Foundation
package import OstiaryCore

/// Where items are kept for a user: a keychain or a keyring, by calls that may block.
///
/// It must replace an item as a whole or not at all, and must never answer that there is none when it can't tell.
package protocol ItemVault: Sendable {
  /// What it is called in messages: "the keychain".
  var name: String { get }
  /// Reads an item; `nil` when there is none.
  func copy(_ item: VaultItem) throws(OstiaryError) -> Data?
  /// Writes an item with its mark, at once, in place of one that is there.
  func put(_ item: VaultItem, _ data: Data, _ mark: VaultItem.Mark) throws(OstiaryError)
  /// Removes an item. Removing none is a success.
  func delete(_ item: VaultItem) throws(OstiaryError)
  /// The accounts of the items of a service that have this mark; `nil` for all. It must not ask the user for anything.
  func accounts(of service: String, marked mark: VaultItem.Mark?) throws(OstiaryError) -> [String]
}

/// Which item: one of a service, for an account.
package struct VaultItem: Hashable, Sendable {
  /// What an item is, as can be told without reading it.
  package enum Mark: Sendable {
    /// A session, or what belongs to one. Items without a mark are that.
    case session
    /// What says how a session ended.
    case ended
  }

  /// The program, and what kind of item it is.
  package var service: String
  /// Whose it is.
  package var account: String

  package init(service: String, account: String) {
    self.service = service
    self.account = account
  }
}
