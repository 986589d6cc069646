#if canImport(Security)
  public import Foundation
  public import OstiaryCore

  extension KeychainStore {
    /// Makes a store in the system's keychain.
    /// - Parameters:
    ///   - service: what its items are called (`kSecAttrService`), such as the app's bundle identifier.
    ///   - accessGroup: the group of apps that share the items; `nil` for this app alone.
    ///   - protection: when they can be read, and where they may go.
    ///   - prompt: what the system shows when it asks the user, where a gate is set.
    ///   - lockFolder: a folder for nothing else, in the app group's container where an access group is shared; by
    ///     default in the app's own.
    ///   - installMarker: a file in the app's own container. Where it is missing, the app has been installed anew, and
    ///     what an earlier installation has left is removed before the first use. **Set it from the app's first version
    ///     on**: the first version that sets it forgets what those before it have stored. With an access group the marker is
    ///     kept in `lockFolder` instead, because the container of one app says nothing of the others; without that folder
    ///     there is none.
    ///   - clock: measures patience.
    public convenience init(
      service: String, accessGroup: String? = nil, protection: KeychainProtection = KeychainProtection(),
      prompt: String? = nil, lockFolder: URL? = nil, installMarker: URL? = nil, clock: any SessionClock = .system
    ) {
      let ownFolder = FileStore.default(application: service).folder.deletingLastPathComponent()
        .appending(path: "Keychain locks", directoryHint: .isDirectory)
      self.init(
        service: service, access: SystemKeychain(accessGroup: accessGroup, prompt: prompt), protection: protection,
        lockFolder: lockFolder ?? ownFolder,
        installMarker: installMarker.flatMap {
          InstallMarker($0, accessGroup: accessGroup, sharedFolder: lockFolder)
        }, clock: clock)
    }
  }
#endif
