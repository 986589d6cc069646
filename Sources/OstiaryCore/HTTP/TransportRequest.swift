public import Foundation
public import HTTPTypes

/// One HTTP request with everything a ``Transport`` needs to know about it.
public struct TransportRequest: Sendable {
  /// Method, target and fields. Scheme and authority must be there.
  public var head: HTTPRequest
  /// The body; `nil` sends none. It is held in memory so that it can be sent again.
  public var body: Data?
  /// How long the exchange may take until the response is complete (until its head, for a stream).
  public var timeout: Duration
  /// The largest response body that is accepted, in bytes. Not applied to streams.
  public var responseBodyLimit: Int
  /// Whether the request may be sent again after a challenge.
  public var replay: ReplayPolicy
  /// How it comes to the layers that it passes.
  package var layerContext = LayerContext()

  /// The default time-out: 30 seconds.
  public static var defaultTimeout: Duration { .seconds(30) }
  /// The default limit of a response body: 16 MiB.
  public static var defaultResponseBodyLimit: Int { 16 * 1024 * 1024 }

  /// Makes a request.
  public init(
    _ head: HTTPRequest,
    body: Data? = nil,
    timeout: Duration = TransportRequest.defaultTimeout,
    responseBodyLimit: Int = TransportRequest.defaultResponseBodyLimit,
    replay: ReplayPolicy = .ifSafe
  ) {
    self.head = head
    self.body = body
    self.timeout = timeout
    self.responseBodyLimit = responseBodyLimit
    self.replay = replay
  }

  /// Makes a `GET` request for `url`.
  /// - Throws: ``OstiaryError`` `invalidRequest` when the URL is not one that HTTP can fetch.
  public static func get(_ url: URL) throws -> TransportRequest {
    try TransportRequest(HTTPRequest(.get, to: url))
  }

  /// Makes a `POST` request for `url` with a body of the given content type.
  /// - Throws: ``OstiaryError`` `invalidRequest` when the URL is not one that HTTP can fetch.
  public static func post(_ url: URL, body: Data, contentType: String) throws -> TransportRequest {
    try TransportRequest(HTTPRequest(.post, to: url, headerFields: [.contentType: contentType]), body: body)
  }
}

extension TransportRequest: Redacted {
  /// Method and host. Query, fields and body may hold passwords and tokens and are not shown.
  public var description: String { "\(head.method.rawValue) \(head.authority ?? "?")" }
}

/// How a request comes to a layer: from the app, or from a layer above that follows redirects and keeps cookies itself.
package struct LayerContext: Sendable, Hashable {
  /// Whether the sender is a layer, or an authenticator. The layer below adds its own proof and watches for its own
  /// challenges, and leaves redirects and other cookies to the sender.
  package var isFromLayer = false
  /// Whether the sender follows a redirect with it. It then takes along nothing that belongs to another origin.
  package var isRedirected = false

  /// Whether it ends a session above. It asks no person to sign in to anything first.
  package var endsSession = false

  package init() {}
}
