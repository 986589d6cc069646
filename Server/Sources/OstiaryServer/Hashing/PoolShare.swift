import Foundation

/// Whose password is hashed, and for whom: what the places of a ``HashPool`` are shared by.
struct PoolShare: Sendable {
  /// The keys that it counts for.
  let keys: [Data]

  /// - Parameters:
  ///   - account: the account, by the text that was typed; nil for a new password.
  ///   - address: where it comes from. The programs of this machine share an address, and are no one client.
  init(account: Data?, address: ClientAddress?) {
    keys = [account.map { Data("account".utf8) + $0 }, address?.limitBucket.map { Data("address".utf8) + $0 }]
      .compactMap { $0 }
  }
}
