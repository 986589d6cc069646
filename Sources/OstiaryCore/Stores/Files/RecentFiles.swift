import Foundation

/// What files held when they were last read or written, so that what is still the same need not be checked again.
///
/// It holds what the session manager has in memory anyway, or the same encrypted.
final class RecentFiles: Sendable {
  /// A server with more accounts than that has the digests computed.
  private static let limit = 32
  /// The largest session that is remembered, in bytes.
  private static let sizeLimit = 64 * 1024

  private let files = Locked<[SessionKey: SessionFile]>([:])

  subscript(key: SessionKey) -> SessionFile? {
    get { files.withLock { $0[key] } }
    set {
      let new = newValue.flatMap { $0.payload.count <= Self.sizeLimit ? $0 : nil }
      files.withLock { files in
        if new != nil, files[key] == nil, files.count >= Self.limit { files = [:] }
        files[key] = new
      }
    }
  }

  /// Forgets everything.
  func removeAll() {
    files.withLock { $0 = [:] }
  }
}
