import Foundation
import OstiaryCore

@testable import OstiaryServer

/// What the trail says, for comparing.
struct AuditEvents: Sendable {
  let storage: ServerStorage

  init(_ storage: ServerStorage) { self.storage = storage }

  func records() async throws -> [AuditRecord] { try await AuditArchive(storage).records() }

  /// `kind` or `kind: cause`, oldest first.
  func words(since last: Int64 = 0) async throws -> [String] {
    try await records().filter { $0.id > last }.map(\.word)
  }

  /// What `body` has made the server tell.
  func words(of body: () async throws -> Void) async throws -> [String] {
    let last = try await records().last?.id ?? 0
    try await body()
    return try await words(since: last)
  }

  /// Changes the database as a program would that has no key.
  func tamper(_ sql: String) async throws {
    try await storage.write { db in try db.test.execute(sql) }
  }
}

extension AuditRecord {
  var word: String { causeName.map { "\(kindName): \($0)" } ?? kindName }
}
