import Foundation
internal import OstiaryCore

/// Counts the requests of each address: a number at once, and one more in each interval. All servers over the database count together.
///
/// An address that has to wait is refused from memory until then. The refusals of a flood cost no write.
struct AddressThrottle: Sendable {
  private let guesses: GuessService
  private let label: StaticString
  private let bucket: GuessRules.Bucket

  /// - Parameter label: what is counted. Stored counts contain it, so it never changes.
  init(_ guesses: GuessService, of label: StaticString, _ bucket: GuessRules.Bucket) {
    self.guesses = guesses
    self.label = label
    self.bucket = bucket
  }

  /// Counts a request, or returns the wait before the next one.
  func reserve(_ address: ClientAddress?, now: Date) async throws(ServerError) -> Duration? {
    guard let address else { return nil }
    return try await guesses.ask(label, from: address, bucket, now: now)
  }
}
