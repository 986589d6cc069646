#if !canImport(Security)
  internal import OstiaryCore
  internal import OstiarySealing

  #if SecretService
    internal import OstiaryStores
  #endif

  extension KeychainStore {
    /// The store behind an identifier: the user's keyring, where the package's trait `SecretService` is on and there is
    /// one, or encrypted files in the platform's place for an application's own data.
    ///
    static func defaultStore(identifier: String) -> any OstiaryCore.SessionStore {
      let application = application(identifier)
      #if SecretService
        return KeyringOrFiles(application: application)
      #else
        return EncryptedFileStore.encryptedFile(application: application)
      #endif
    }

    /// File names keep few characters of an identifier; the number in front keeps identifiers apart.
    package static func application(_ identifier: String) -> String {
      "newzulu-\(number(of: identifier))-\(identifier)"
    }

    /// FNV-1a in 64 bits: the same in every process, which Swift's own hash isn't.
    private static func number(of identifier: String) -> String {
      let hash = identifier.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
      return String(hash, radix: 16)
    }
  }
#endif
