#if canImport(Security)
  internal import Ostiary
  internal import OstiaryStores

  extension SFEnvironment {
    /// Items of the system's keychain, for this device only.
    static func defaultStore(_ name: String) -> any SessionStore {
      OstiaryStores.KeychainStore(service: name)
    }
  }
#endif
