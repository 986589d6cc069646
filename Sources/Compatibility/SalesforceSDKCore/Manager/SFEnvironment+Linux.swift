#if !canImport(Security)
  internal import Ostiary

  extension SFEnvironment {
    /// Encrypted files in the platform's place for an application's own data.
    static func defaultStore(_ name: String) -> any SessionStore {
      EncryptedFileStore.encryptedFile(application: name)
    }
  }
#endif
