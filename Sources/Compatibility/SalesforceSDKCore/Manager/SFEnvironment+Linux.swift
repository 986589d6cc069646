#if !canImport(Security)
  internal import Ostiary

  extension SFEnvironment {
    /// Encrypted files in the platform's place for an application's own data.
    static func defaultStore() -> any SessionStore {
      EncryptedFileStore.encryptedFile(application: UnpublishedNames.application)
    }
  }
#endif
