// The vendor's headers say nothing about nil, and Swift has imported them so.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

public import Foundation
internal import HTTPTypes
package import Ostiary

/// What the server answered.
///
/// A drop-in for the class of this name in IBM's MobileFirst SDK 8.0. It belongs to the caller that gets it and is not
/// meant to be used by several threads at once.
open class WLResponse: NSObject, CustomReflectable {
  /// The HTTP status; 0 when there was no answer.
  public var status = 0
  /// Why the request failed; `nil` when it did not.
  public var error: (any Error)!
  /// The fields of the answer, as they were spelled. Repeated ones are joined by `, `.
  public var headers: [AnyHashable: Any]!
  /// The body.
  public private(set) var responseData: Data!
  /// Any object that the app keeps with the response.
  public var invocationContext: NSObject!
  /// Any values that the app keeps with the response.
  public var userInfoDict: [AnyHashable: Any]!

  /// Tells the response that began a challenge from every other.
  let identity: ResponseIdentity?
  private var text: String??

  /// Makes a response without content: for tests of handlers.
  public override init() {
    identity = nil
    super.init()
  }

  package init(_ response: TransportResponse?, identity: ResponseIdentity? = nil) {
    self.identity = identity
    super.init()
    guard let response else { return }
    status = response.status.code
    responseData = response.body
    headers = response.joinedFields
  }

  /// Makes a response with the content of another.
  init(copying other: WLResponse?) {
    identity = other?.identity
    super.init()
    guard let other else { return }
    status = other.status
    error = other.error
    headers = other.headers
    responseData = other.responseData
    invocationContext = other.invocationContext
    userInfoDict = other.userInfoDict
    text = other.text
  }

  /// The body as text: in the character set that the answer names, in UTF-8, or, where an answer says that it is text and
  /// names none, in ISO 8859-1. `nil` when it is no text.
  public var responseText: String! {
    get {
      if let text { return text }
      let decoded = responseData.flatMap { ResponseTextDecoder(contentType: header("Content-Type")).decode($0) }
      text = .some(decoded)
      return decoded
    }
    set { text = .some(newValue) }
  }

  /// The body as a JSON object; `nil` when it is none. The comment in which servers of version 7 send JSON is taken off.
  public var responseJSON: [AnyHashable: Any]! {
    guard let responseData, !responseData.isEmpty else { return nil }
    return (try? JSONSerialization.jsonObject(with: SecureComment.content(of: responseData))) as? [String: Any]
  }

  /// ``responseJSON``.
  @available(*, deprecated, renamed: "responseJSON")
  public func getResponseJson() -> [AnyHashable: Any]! { responseJSON }

  /// A field of the answer, however it is spelled.
  func header(_ name: String) -> String? {
    headers?.first { ($0.key as? String)?.lowercased() == name.lowercased() }?.value as? String
  }

  /// Status and size. Fields may hold cookies, the body tokens; they are not shown.
  open override var description: String { "\(type(of: self))(\(status), \(responseData?.count ?? 0) bytes)" }
  open override var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["response": description], displayStyle: .class) }
}

extension TransportResponse {
  /// The fields as they are spelled. Repeated ones are joined by `, `.
  var joinedFields: [String: String] {
    Dictionary(head.headerFields.map { ($0.name.rawName, head.headerFields[values: $0.name].joined(separator: ", ")) })
    {
      first, _ in first
    }
  }
}

/// One response among all, wherever the app carries it.
package final class ResponseIdentity: Sendable {
  package init() {}
}
