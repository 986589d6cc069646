public import Foundation
public import OstiaryCore

/// What a Pega server answered to a SnapStart address.
public struct SnapStartPage: Sendable {
  /// The response, after redirects.
  public let response: TransportResponse
  /// The address that answered.
  public let url: URL
}

extension SnapStartPage: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Status, size and host. The address holds what was asked for, which may be private, and is not shown.
  public var description: String { "\(response) from \(url.host() ?? "?")" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["page": description], displayStyle: .struct) }
}
