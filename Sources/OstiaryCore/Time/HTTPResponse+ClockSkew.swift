public import Foundation
public import HTTPTypes

extension HTTPResponse {
  /// How far the server's clock is ahead of this device's, in seconds, by the response's `Date` field (RFC 9110
  /// §6.6.1); `nil` when the field is missing, repeated or no date.
  ///
  /// The field has whole seconds, and the response took its time: take it for true to a few seconds.
  /// - Parameter now: when the response arrived, by this device's clock.
  public func clockSkew(at now: Date) -> TimeInterval? {
    headerFields[.date].flatMap { HTTPDate.parse($0, now: now) }?.timeIntervalSince(now)
  }
}
