import Foundation
import OstiaryCore

/// The refresh tokens that are being used at this moment, at whichever server.
struct SalesforceRefreshes: Sendable {
  /// A use whose server has been killed counts for so many seconds.
  private static let longest: TimeInterval = 30

  private let inUse: OneTimeNumbers

  init(_ storage: ServerStorage) { inUse = OneTimeNumbers(storage, of: "salesforce refresh") }

  /// Begins a use.
  /// - Returns: The value to end it with; nil if another use is under way.
  func enter(_ token: Secret, at now: Date) async throws(ServerError) -> OneTimeNumbers.Claim? {
    try await inUse.claim(token.reveal(), until: now.addingTimeInterval(Self.longest), now: now)
  }

  /// Ends a use.
  func leave(_ claim: OneTimeNumbers.Claim) async throws(ServerError) { try await inUse.release(claim) }

  /// Uses a token alone.
  /// - Returns: nil if another use is under way.
  func alone<Value: Sendable>(
    with token: Secret, at now: Date, _ use: () async throws(ServerError) -> Value
  ) async throws(ServerError) -> Value? {
    guard let claim = try await enter(token, at: now) else { return nil }
    do {
      let value = try await use()
      // A failure here leaves the claim, which ends by itself.
      try? await leave(claim)
      return value
    } catch {
      try? await leave(claim)
      throw error
    }
  }
}
