public import Foundation
public import HTTPTypes
public import OstiaryCore

/// A request to a Salesforce server, without the address that only the session knows.
public struct SalesforceCall: Sendable {
  /// The method.
  public var method: HTTPRequest.Method
  /// The path, percent-encoded, with the query if there is one: `/services/data/v58.0/sobjects/Case`.
  public var path: String
  /// The fields.
  public var headerFields: HTTPFields
  /// The body; `nil` sends none.
  public var body: Data?
  /// How long the exchange may take.
  public var timeout: Duration = TransportRequest.defaultTimeout
  /// Whether it may be sent again after a challenge. Salesforce refuses a session before it acts, so that a refused call
  /// can always be sent again unless this says ``/OstiaryCore/ReplayPolicy/never``.
  public var replay: ReplayPolicy = .ifSafe

  /// Makes a call.
  public init(
    _ method: HTTPRequest.Method, _ path: String, headerFields: HTTPFields = [.accept: "application/json"],
    body: Data? = nil
  ) {
    self.method = method
    self.path = path
    self.headerFields = headerFields
    self.body = body
  }

  /// Makes a call from what a drop-in module's caller says.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidRequest` when the method is none.
  package init(method: String, path: String, body: Data?, contentType: String) throws {
    guard let known = HTTPRequest.Method(method) else {
      throw OstiaryError(.invalidRequest, "“\(method)” is no method.", requestMayHaveExecuted: false)
    }
    self.init(known, path, body: body)
    if body != nil { headerFields[.contentType] = contentType }
  }

  /// Reads something.
  public static func get(_ path: String) -> SalesforceCall { SalesforceCall(.get, path) }

  /// Sends JSON.
  /// - Throws: what encoding throws.
  public static func post(_ path: String, json: JSONValue) throws -> SalesforceCall {
    SalesforceCall(
      .post, path, headerFields: [.accept: "application/json", .contentType: "application/json"],
      body: try JSONEncoder().encode(json))
  }

  /// The request at an address, whose own path stays in front.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidRequest` when they make no request.
  public func request(at base: URL) throws -> TransportRequest {
    // It says what is wrong with the address, where something is.
    let head = try HTTPRequest(method, to: base, headerFields: headerFields)
    guard let base = Base(base) else {
      throw OstiaryError(
        .invalidRequest, "The address is not one that a call can go to.", request: head, requestMayHaveExecuted: false)
    }
    return request(at: base)
  }

  /// An address, taken apart.
  struct Base: Sendable {
    let origin: Origin
    let path: String

    init?(_ url: URL) {
      guard let origin = Origin(url) else { return nil }
      self.origin = origin
      var path = url.path(percentEncoded: true)
      while path.hasSuffix("/") { path.removeLast() }
      self.path = path
    }
  }

  func request(at base: Base) -> TransportRequest {
    let head = HTTPRequest(
      method: method, scheme: base.origin.scheme, authority: base.origin.authority,
      path: base.path + (path.hasPrefix("/") ? path : "/" + path), headerFields: headerFields)
    var request = TransportRequest(head, body: body, timeout: timeout)
    request.replay = replay
    return request
  }
}

extension SalesforceCall: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The method and the path without its query.
  public var description: String { "\(method.rawValue) \(path.prefix { $0 != "?" })" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["call": description], displayStyle: .struct) }
}
