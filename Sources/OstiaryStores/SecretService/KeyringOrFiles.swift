#if SecretService
  package import Foundation
  package import OstiaryCore
  package import OstiarySealing

  /// The user's keyring where there is one and encrypted files where there is none: always the same of the two.
  ///
  /// Which one it is turns out when it is first used, and is remembered on the disk with the first session. So a session
  /// in the keyring is *unavailable* to a program that runs without the desktop, over SSH say, and never *absent*; and one
  /// in files stays there when the user gets a desktop.
  package final class KeyringOrFiles: SessionStore {
    private let keyring: SecretServiceStore
    private let files: EncryptedFileStore
    /// A file that says that the keyring has been chosen.
    private let marker: URL
    private let choosing = AsyncSerialQueue()
    private let chosen = Locked<Choice?>(nil)

    private enum Choice: Sendable {
      case keyring
      case files
    }

    /// Makes a store for an application in the user's default keyring, or where
    /// ``/OstiarySealing/EncryptedFileStore/encryptedFile(application:)`` has its files. Nothing is asked before it is used.
    package convenience init(application: String) {
      self.init(keyring: SecretServiceStore(application: application), files: .encryptedFile(application: application))
    }

    package init(keyring: SecretServiceStore, files: EncryptedFileStore) {
      self.keyring = keyring
      self.files = files
      marker = files.folder.deletingLastPathComponent().appending(path: "in-keyring")
    }

    package func load(_ key: SessionKey) async -> StoreReading {
      switch await choice() {
      case .keyring: await keyring.load(key)
      case .files: await files.load(key)
      }
    }

    package func save(_ data: Data, for key: SessionKey, replacing expected: StoreExpectation) async throws {
      switch await choice() {
      case .keyring:
        try remember()
        try await keyring.save(data, for: key, replacing: expected)
      case .files: try await files.save(data, for: key, replacing: expected)
      }
    }

    package func remove(_ key: SessionKey, ifHolding expected: StoreExpectation) async throws {
      switch await choice() {
      case .keyring: try await keyring.remove(key, ifHolding: expected)
      case .files: try await files.remove(key, ifHolding: expected)
      }
    }

    package func saveStamped(
      _ data: Data, for key: SessionKey, replacing expected: StoreExpectation
    ) async throws -> StoreStamp? {
      if await choice() == .files { return try await files.saveStamped(data, for: key, replacing: expected) }
      try await save(data, for: key, replacing: expected)
      return nil
    }

    package func end(_ key: SessionKey, with entry: Data, ifHolding expected: StoreExpectation) async throws {
      switch await choice() {
      case .keyring:
        try remember()
        try await keyring.end(key, with: entry, ifHolding: expected)
      case .files: try await files.end(key, with: entry, ifHolding: expected)
      }
    }

    /// Either has locks on files.
    package var exclusiveAccessCanBeLost: Bool { false }

    package func stamp(of key: SessionKey) -> StoreStamp? {
      chosen.withLock { $0 } == .files ? files.stamp(of: key) : nil
    }

    package func accounts() async throws -> [SessionKey] {
      switch await choice() {
      case .keyring: try await keyring.accounts()
      case .files: try await files.accounts()
      }
    }

    package func removeAll() async throws {
      switch await choice() {
      case .keyring: try await keyring.removeAll()
      case .files: try await files.removeAll()
      }
    }

    package func withExclusiveAccess<Result: Sendable>(
      to key: SessionKey, patience: Duration, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
      switch await choice() {
      case .keyring: try await keyring.withExclusiveAccess(to: key, patience: patience, body)
      case .files: try await files.withExclusiveAccess(to: key, patience: patience, body)
      }
    }

    // MARK: Choosing

    private func choice() async -> Choice {
      if let chosen = chosen.withLock({ $0 }) { return chosen }
      return await choosing.run { [self] in
        if let chosen = chosen.withLock({ $0 }) { return chosen }
        let choice = await firstChoice()
        chosen.withLock { $0 = choice }
        return choice
      }
    }

    /// What an earlier process has begun with goes on. A keyring that is locked is there.
    private func firstChoice() async -> Choice {
      if FileManager.default.fileExists(atPath: marker.path(percentEncoded: false)) { return .keyring }
      if FileManager.default.fileExists(atPath: files.folder.path(percentEncoded: false)) { return .files }
      do {
        _ = try await keyring.accounts()
        return .keyring
      } catch {
        return (error as? OstiaryError)?.underlying is KeyringMissing ? .files : .keyring
      }
    }

    private func remember() throws {
      let path = marker.path(percentEncoded: false)
      if FileManager.default.fileExists(atPath: path) { return }
      do {
        try FileManager.default.createDirectory(
          at: marker.deletingLastPathComponent(), withIntermediateDirectories: true,
          attributes: [.posixPermissions: 0o700])
        try Data().write(to: marker)
      } catch {
        throw OstiaryError(
          .storeUnavailable, "It can't be noted that sessions are in the keyring.",
          advice: "Check who may write to \(marker.deletingLastPathComponent().path(percentEncoded: false)).",
          underlying: error)
      }
    }
  }
#endif
