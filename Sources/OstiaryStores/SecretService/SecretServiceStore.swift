#if SecretService
  public import Foundation
  public import OstiaryCore

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Darwin)
    import Darwin
  #elseif canImport(Musl)
    import Musl
  #endif

  /// Keeps sessions in the user's keyring on a Linux desktop: GNOME Keyring, KWallet, KeePassXC or any other program
  /// that offers the Secret Service (freedesktop.org, Secret Service API 0.2).
  ///
  /// - **Honest.** A keyring that is locked answers like an empty one, so its state is asked first: locked is
  ///   *unavailable*, and so are a missing D-Bus session, a missing service and a missing default keyring, each with a
  ///   sentence that says so. The user is never asked to unlock it from here.
  /// - **Encrypted** by the keyring on the disk, and on its way there by the session with the service.
  /// - **Shared.** The Secret Service has no locks, so comparing, and ``withExclusiveAccess(to:patience:_:)``, use
  ///   locks on files in the user's home folder (`flock`), the same for every program of the user and in every
  ///   environment.
  ///
  /// Needs the package trait `SecretService`, and a build on Linux.
  public final class SecretServiceStore: SessionStore {
    private let items: SharedItems

    /// Makes a store in the user's default keyring. Nothing is asked before it is used.
    /// - Parameters:
    ///   - application: keeps the sessions of programs apart, such as `com.example.app`.
    ///   - clock: measures patience.
    public convenience init(application: String, clock: any SessionClock = .system) {
      self.init(application: application, busAddress: nil, lockFolder: Self.lockFolder(application), clock: clock)
    }

    /// - Parameters:
    ///   - busAddress: the D-Bus to use; `nil` for the session's.
    ///   - pieceLimit: the largest item, in bytes.
    package init(
      application: String, busAddress: String?, lockFolder: URL, pieceLimit: Int = 256 * 1024,
      clock: any SessionClock = .system
    ) {
      let application = SecretServiceVault.encode(application)
      items = SharedItems(
        sessions: ItemSessions(
          service: application, vault: SecretServiceVault(busAddress: busAddress), pieceLimit: pieceLimit),
        locks: LockFolder(lockFolder, clock: clock), queue: BlockingQueue(label: "ostiary.secret-service-store"))
    }

    /// In the home folder that the system's list of users names, because a job of `cron` shares the keyring but not the
    /// desktop's variables: two that lock elsewhere would renew at once.
    package static func lockFolder(_ application: String) -> URL {
      let home = getpwuid(geteuid()).flatMap { $0.pointee.pw_dir }.map { URL(filePath: String(cString: $0)) }
      return FileStore.stateFolder(
        application: application, environment: [:], home: home ?? FileManager.default.homeDirectoryForCurrentUser
      ).deletingLastPathComponent().appending(path: "keyring-locks")
    }

    public func load(_ key: SessionKey) async -> StoreReading { await items.load(key) }

    public func save(_ data: Data, for key: SessionKey, replacing expected: StoreExpectation) async throws {
      try await items.save(data, for: key, replacing: expected)
    }

    public func remove(_ key: SessionKey, ifHolding expected: StoreExpectation) async throws {
      try await items.remove(key, ifHolding: expected)
    }

    public func end(_ key: SessionKey, with entry: Data, ifHolding expected: StoreExpectation) async throws {
      try await endOrRemove(key, with: entry, ifHolding: expected) {
        try await items.end(key, with: entry, ifHolding: expected)
      }
    }

    /// The lock is one on a file, which is free when its holder dies, and not before.
    public var exclusiveAccessCanBeLost: Bool { false }

    public func accounts() async throws -> [SessionKey] { try await items.accounts() }

    /// Removes every session of this application, and what was kept of damaged ones.
    /// - Throws: ``/OstiaryCore/OstiaryError`` `storeUnavailable`; some may have been removed then.
    public func removeAll() async throws { try await items.removeAll() }

    public func withExclusiveAccess<Result: Sendable>(
      to key: SessionKey, patience: Duration, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
      try await items.locks.withExclusiveAccess(to: key, patience: patience, body)
    }
  }

  extension SessionStore where Self == SecretServiceStore {
    /// A store in the user's keyring.
    public static func secretService(application: String) -> SecretServiceStore {
      SecretServiceStore(application: application)
    }
  }
#endif
