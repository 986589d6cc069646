internal import Foundation
internal import OstiaryClientCommand
internal import OstiaryServer

extension AuditReport {
  /// An event of this machine, as one of another machine is told.
  init(_ record: AuditRecord, name userName: String? = nil) throws {
    try self.init(told: record.told(userName: userName))
  }

  /// The names of users, by their ids.
  static func names(_ identity: IdentityService) async throws -> [String: String] {
    Dictionary(try await identity.users().map { ($0.id, $0.name) }) { first, _ in first }
  }
}

/// Whether the trail is whole, for programs.
struct VerificationReport: Sendable, Encodable {
  let isWhole: Bool
  let problem: String?
  let sealed: Int
  let unsealed: Int
  let firstNumber: Int64
  let lastNumber: Int64

  init(_ result: AuditVerification) {
    isWhole = result.problem == nil
    problem = result.problem?.words
    sealed = result.sealed
    unsealed = result.unsealed
    firstNumber = result.start + 1
    lastNumber = result.end
  }
}
