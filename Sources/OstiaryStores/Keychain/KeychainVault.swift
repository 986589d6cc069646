import Foundation
import OstiaryCore

/// The keychain as a vault: knows which statuses are answers and which are failures.
struct KeychainVault: ItemVault {
  let access: any KeychainAccess
  let protection: KeychainProtection

  var name: String { "the keychain" }

  func copy(_ item: VaultItem) throws(OstiaryError) -> Data? {
    let (status, data) = access.copy(item)
    switch status {
    case .success:
      // An item without data is not the same as no item.
      return data ?? Data()
    case .notFound: return nil
    default: throw status.error
    }
  }

  /// Adds the item, and changes it where it is there already. Deleting first could end with nothing.
  func put(_ item: VaultItem, _ data: Data, _ mark: VaultItem.Mark) throws(OstiaryError) {
    var status = access.add(item, data, mark, protection)
    if status == .duplicate { status = access.update(item, data, mark) }
    guard status == .success else { throw status.error }
  }

  func delete(_ item: VaultItem) throws(OstiaryError) {
    let status = access.delete(item)
    guard status == .success || status == .notFound else { throw status.error }
  }

  func accounts(of service: String, marked mark: VaultItem.Mark?) throws(OstiaryError) -> [String] {
    let (status, items) = access.list(service: service)
    switch status {
    case .success: return items.filter { mark == nil || $0.mark == mark }.map(\.account)
    case .notFound: return []
    default: throw status.error
    }
  }
}
