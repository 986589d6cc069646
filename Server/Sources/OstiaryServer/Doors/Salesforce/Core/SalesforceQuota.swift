import Foundation
import OstiaryCore

/// Counts the calls of each org's programs: 24 hours from the first. All servers over the database count together.
final class SalesforceQuota: Sendable {
  private static let period: TimeInterval = 24 * 3600

  /// The most calls.
  let most: Int
  private let storage: ServerStorage
  private let orgs = Locked<[SalesforceRecordID: SharedAllowance]>([:])

  init(_ storage: ServerStorage, most: Int) {
    self.storage = storage
    self.most = most
  }

  /// Counts one call.
  /// - Returns: The number of calls with this one, as far as this server knows; nil if it is one too many.
  func take(_ org: SalesforceRecordID, at now: Date) async throws(ServerError) -> Int? {
    try await allowance(of: org).take(at: now)
  }

  /// The number of calls so far, as far as this server knows.
  func used(_ org: SalesforceRecordID) -> Int { allowance(of: org).used }

  private func allowance(of org: SalesforceRecordID) -> SharedAllowance {
    orgs.withLock { orgs in
      if let known = orgs[org] { return known }
      let new = SharedAllowance(
        storage, named: "salesforce calls \(org.long)", AllowanceTerms(limit: most, period: Self.period))
      orgs[org] = new
      return new
    }
  }
}
