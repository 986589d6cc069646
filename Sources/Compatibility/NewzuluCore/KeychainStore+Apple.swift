#if canImport(Security)
  internal import OstiaryCore
  internal import OstiaryStores

  extension KeychainStore {
    /// The store behind an identifier: items of the system's keychain, for this device only.
    static func defaultStore(identifier: String) -> any OstiaryCore.SessionStore {
      OstiaryStores.KeychainStore(service: "newzulu \(identifier)")
    }
  }
#endif
