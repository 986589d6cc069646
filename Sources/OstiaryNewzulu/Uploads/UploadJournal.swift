internal import Foundation
internal import OstiaryCore

/// Keeps the table of an upload's parts where the next process finds it.
///
/// Losing it costs time, not truth: a store that fails here stops no upload. One upload at a time owns an entry.
struct UploadJournal: Sendable {
  private let store: any SessionStore
  private let key: SessionKey

  /// - Returns: `nil` for bytes in memory, which have no name.
  init?(_ store: any SessionStore, account: String, source: NewzuluUpload.Source) {
    guard case .file(let file) = source else { return nil }
    let path = file.absoluteURL.standardizedFileURL.path(percentEncoded: false)
    self.init(store, SessionKey("\(Self.prefix(account))\(PercentEncoding.encode(path))"))
  }

  init(_ store: any SessionStore, _ key: SessionKey) {
    self.store = store
    self.key = key
  }

  private static func prefix(_ account: String) -> String { "newzulu-upload \(account) " }

  /// The entries of an account, for each of its projects.
  static func all(in store: any SessionStore, account: String) async -> [UploadJournal] {
    let keys = (try? await store.accounts()) ?? []
    return keys.filter { $0.name.hasPrefix(prefix(account)) }.map { UploadJournal(store, $0) }
  }

  /// Runs an upload while no other upload owns the entry.
  /// - Throws: what the body throws; ``/OstiaryCore/OstiaryError`` `uploadUnderWay` when another upload owns the entry.
  func own<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws -> Result {
    let hasBegun = Locked(false)
    do {
      return try await store.withExclusiveAccess(to: key, patience: .zero) {
        hasBegun.withLock { $0 = true }
        return try await body()
      }
    } catch let error as OstiaryError where error.code == .storeUnavailable && !hasBegun.withLock({ $0 }) {
      // A store that can't be read either stops no upload.
      if case .unavailable = await store.load(key) { return try await body() }
      throw OstiaryError.uploadUnderWay
    }
  }

  /// What is known of an earlier upload of the same file.
  func load() async -> NewzuluUploadState? {
    guard case .present(let data) = await store.load(key) else { return nil }
    return try? JSONDecoder().decode(NewzuluUploadState.self, from: data)
  }

  /// - Parameter isFirst: whether an entry that is there stays.
  /// - Returns: whether it was written.
  @discardableResult
  func save(_ state: NewzuluUploadState, isFirst: Bool = false) async -> Bool {
    guard let data = try? JSONEncoder().encode(state) else { return false }
    return (try? await store.save(data, for: key, replacing: isFirst ? .nothing : .anything)) != nil
  }

  func remove() async {
    try? await store.remove(key, ifHolding: .anything)
  }
}
