internal import Foundation
internal import OstiaryCore

/// Keeps the table of an upload's parts where the next process finds it.
///
/// Losing it costs time, not truth: a store that fails here stops no upload.
struct UploadJournal: Sendable {
  private let store: any SessionStore
  private let key: SessionKey

  init(_ store: any SessionStore, account: String, file: URL) {
    self.store = store
    let path = file.absoluteURL.standardizedFileURL.path(percentEncoded: false)
    key = SessionKey("newzulu-upload \(account) \(PercentEncoding.encode(path))")
  }

  /// What is known of an earlier upload of the same file.
  func load() async -> NewzuluUploadState? {
    guard case .present(let data) = await store.load(key) else { return nil }
    return try? JSONDecoder().decode(NewzuluUploadState.self, from: data)
  }

  func save(_ state: NewzuluUploadState) async {
    guard let data = try? JSONEncoder().encode(state) else { return }
    try? await store.save(data, for: key, replacing: .anything)
  }

  func remove() async {
    try? await store.remove(key, ifHolding: .anything)
  }
}
