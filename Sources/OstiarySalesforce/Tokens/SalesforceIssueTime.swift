public import Foundation
public import OstiaryCore

extension Session {
  /// When a Salesforce server says that it gave the tokens: `issued_at`, milliseconds since 1970 in a string, although
  /// its documentation says seconds; `nil` when it did not say.
  public var salesforceIssuedAt: Date? {
    attributes[SalesforceTokens.Name.issuedAt].flatMap { value in
      let number = value.double ?? value.string.flatMap { Double($0) }
      return number.flatMap { $0.isFinite && $0 > 0 ? Date(timeIntervalSince1970: $0 / 1000) : nil }
    }
  }
}
