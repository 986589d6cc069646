public import Foundation
public import OstiaryCore

/// What a Pega server answered to a SnapStart address.
public struct SnapStartPage: Sendable {
  /// The response, after redirects.
  public let response: TransportResponse
  /// The address that answered.
  public let url: URL
}
