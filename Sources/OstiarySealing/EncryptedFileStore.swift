public import Foundation
public import OstiaryCore

/// Keeps sessions in files, encrypted: a ``/OstiaryCore/FileStore`` under a ``SealedStore``.
///
/// ```swift
/// let store = EncryptedFileStore(in: folder, key: .keyFile(keyFile))
/// let manager = SessionManager(authenticator: authenticator, transport: transport, store: store)
/// ```
///
/// The names of the accounts can be read from the files' names; what is in them can't.
public struct EncryptedFileStore: SessionStore {
  /// Where the files are.
  public let folder: URL
  private let files: FileStore
  private let source: any SealingKeySource
  private let sealed: SealedStore

  /// Makes a store in `folder`, which is created when something is first written.
  /// - Parameters:
  ///   - folder: a folder for nothing else.
  ///   - key: where the keys come from.
  ///   - clock: measures patience, and dates damaged files.
  public init(in folder: URL, key: any SealingKeySource, clock: any SessionClock = .system) {
    self.init(FileStore(folder: folder, clock: clock), key, clock)
  }

  init(_ files: FileStore, _ key: any SealingKeySource, _ clock: any SessionClock) {
    folder = files.folder
    self.files = files
    source = key
    sealed = SealedStore(files, keys: key, clock: clock)
  }

  public func load(_ key: SessionKey) async -> StoreReading {
    await sealed.load(key)
  }

  public func save(_ data: Data, for key: SessionKey, replacing expected: StoreExpectation) async throws {
    _ = try await saveStamped(data, for: key, replacing: expected)
  }

  public func saveStamped(
    _ data: Data, for key: SessionKey, replacing expected: StoreExpectation
  ) async throws -> StoreStamp? {
    if let saved = try await change(data, key, expected, isEnded: false) { return saved.stamp }
    return try await sealed.saveStamped(data, for: key, replacing: expected)
  }

  public func end(_ key: SessionKey, with entry: Data, ifHolding expected: StoreExpectation) async throws {
    try await endOrRemove(key, with: entry, ifHolding: expected) {
      if try await change(entry, key, expected, isEnded: true) != nil { return }
      try await sealed.end(key, with: entry, ifHolding: expected)
    }
  }

  public var exclusiveAccessCanBeLost: Bool { files.exclusiveAccessCanBeLost }

  /// Opens, compares and replaces what is stored at one go. An unusual case, such as the first key, damage or a record
  /// of another key, is for the way that any sealed store takes.
  /// - Returns: `nil` when it is for that.
  private func change(
    _ data: Data, _ key: SessionKey, _ expected: StoreExpectation, isEnded: Bool
  ) async throws -> SessionFiles.Saved? {
    guard let keys = try? await source.keys() else { return nil }
    return try await files.change(key, isEnded: isEnded) { stored throws(OstiaryError) in
      do {
        let session = try stored.map { try SealedRecord.open($0, for: key, with: keys) }
        guard expected.matches(session) else { throw OstiaryError.storeConflict }
        return try SealedRecord.seal(data, for: key, with: keys.current, isEnded: isEnded)
      } catch let error as OstiaryError {
        throw error
      } catch {
        return nil
      }
    }
  }

  public func remove(_ key: SessionKey, ifHolding expected: StoreExpectation) async throws {
    try await sealed.remove(key, ifHolding: expected)
  }

  public func stamp(of key: SessionKey) -> StoreStamp? {
    sealed.stamp(of: key)
  }

  public func accounts() async throws -> [SessionKey] {
    try await sealed.accounts()
  }

  public func removeAll() async throws {
    try await sealed.removeAll()
  }

  public func withExclusiveAccess<Result: Sendable>(
    to key: SessionKey, patience: Duration, _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    try await sealed.withExclusiveAccess(to: key, patience: patience, body)
  }

  /// Makes a new key the current one and seals every session with it. See ``SealedStore/rotateKey()``.
  public func rotateKey() async throws {
    try await sealed.rotateKey()
  }

  /// Seals everything that an older key has sealed with the current key. See ``SealedStore/reseal()``.
  public func reseal() async throws {
    try await sealed.reseal()
  }
}

extension SessionStore where Self == EncryptedFileStore {
  /// A store of encrypted files in the platform's place for an application's own data, with a key file beside that
  /// folder, which is made when something is first written. See ``/OstiaryCore/SessionStore/file(application:)``.
  public static func encryptedFile(application: String) -> EncryptedFileStore {
    let files = FileStore.default(application: application)
    let key = files.folder.deletingLastPathComponent().appending(path: "session.key")
    return EncryptedFileStore(files, .keyFile(key), .system)
  }
}
