public import Foundation
internal import OstiaryCore

/// Keeps documents. It must give back what was kept last under a key, or nothing; it must never give another key's.
public protocol ExperienceCache: Sendable {
  /// The document that was kept, or `nil`.
  func document(for key: String) async throws -> CachedExperience?
  /// Keeps a document in place of the one before.
  func keep(_ document: CachedExperience, for key: String) async throws
}

/// A document as it came.
public struct CachedExperience: Sendable, Hashable {
  /// The document.
  public var json: Data
  /// The server's `ETag` for it.
  public var tag: String?

  /// Makes a document to keep.
  public init(json: Data, tag: String?) {
    self.json = json
    self.tag = tag
  }
}

/// Keeps documents as long as the process runs.
public final class MemoryExperienceCache: ExperienceCache {
  private static let maximumCount = 64
  private let documents = Locked<[String: CachedExperience]>([:])

  /// Makes an empty cache.
  public init() {}

  public func document(for key: String) async throws -> CachedExperience? {
    documents.withLock { $0[key] }
  }

  public func keep(_ document: CachedExperience, for key: String) async throws {
    documents.withLock { documents in
      if documents.count >= Self.maximumCount, documents[key] == nil { documents.removeAll() }
      documents[key] = document
    }
  }
}
