public import Foundation
public import HTTPTypes

/// A response whose body arrives as it is read.
public struct StreamingResponse: Sendable {
  /// Status and fields; repeated fields are kept apart.
  public var head: HTTPResponse
  /// The body, in pieces. It can be read once. Dropping it closes the connection.
  public var body: ResponseBody
  /// The address that answered: the last one when redirects were followed.
  public var url: URL?

  /// Makes a response.
  public init(_ head: HTTPResponse, body: ResponseBody, url: URL? = nil) {
    self.head = head
    self.body = body
    self.url = url
  }
}

extension StreamingResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The status. Fields may hold cookies and are not shown.
  public var description: String { "\(head.status)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["status": description], displayStyle: .struct) }
}
