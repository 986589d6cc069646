public import Foundation

/// What a server answered to a request of ``ServiceCloud``. (Not in the vendor's SDK.)
public struct ServiceResponse: Sendable, Hashable {
  /// The HTTP status.
  public let statusCode: Int
  /// The body, JSON as a rule.
  public let body: Data

  /// Makes a response, for an app's tests.
  public init(statusCode: Int, body: Data) {
    self.statusCode = statusCode
    self.body = body
  }
}

extension ServiceResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The status and the size. The body is left out: its records may be confidential.
  public var description: String { "ServiceResponse(\(statusCode), \(body.count) bytes)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}
