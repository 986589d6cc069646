#if canImport(Security)
  extension KeychainImporter {
    /// Makes an importer for the system's keychain.
    /// - Parameters:
    ///   - accessGroup: the group of apps that the items belong to; `nil` for every group that the app is in.
    ///   - prompt: what the system shows when it asks the user, for items that only the user can open.
    public init(accessGroup: String? = nil, prompt: String? = nil) {
      self.init(access: SystemKeychain(accessGroup: accessGroup, prompt: prompt))
    }
  }
#endif
