package import HTTPTypes

/// A path, the methods it knows, and what answers them.
package struct Route: Sendable {
  /// Answers a request.
  package typealias Handler = @Sendable (DoorRequest) async throws -> DoorResponse
  /// Answers a request whose body is too large to be held: it reads it itself, as it arrives.
  typealias StreamHandler = @Sendable (DoorRequest, BodyStream) async throws -> DoorResponse

  /// What answers a method.
  enum Receiver: Sendable {
    /// Gets the request with its whole body, which the server's limits bound.
    case whole(Handler)
    /// As ``whole(_:)``, for what only reads: the handler's task is cancelled when the client goes away.
    case abandonable(Handler)
    /// Gets the body as a stream that ends, at the latest, after `time`.
    case streamed(time: Duration, StreamHandler)
    /// As ``streamed(time:_:)``, for requests that are meant for another server: what their query says is not judged, and
    /// their body may take its time as long as some of it comes.
    case relayed(StreamHandler)
  }

  /// The path's segments, as text or as `:name`, which matches any one segment.
  let segments: [String]
  /// Whether everything below the segments is meant as well.
  let isPrefix: Bool
  /// What answers each method.
  let receivers: [HTTPRequest.Method: Receiver]
  /// The pattern, as logs and lists have it.
  let pattern: String

  /// Makes a route.
  /// - Parameters:
  ///   - pattern: Such as `/prweb/api/v1/cases` or `/items/:item`.
  ///   - handlers: What answers each method. `GET` answers `HEAD` as well; any other method gets 405.
  package init(_ pattern: String, _ handlers: [HTTPRequest.Method: Handler]) {
    self.init(pattern, receivers: handlers.mapValues { .whole($0) })
  }

  /// As ``init(_:_:)``, for handlers that may want the body as a stream.
  init(_ pattern: String, receivers: [HTTPRequest.Method: Receiver]) {
    segments = pattern.byteParts(at: "/").filter { !$0.isEmpty }.map(String.init)
    isPrefix = false
    self.receivers = receivers
    self.pattern = "/" + segments.joined(separator: "/")
  }

  /// A path that two routes want, if there is one.
  static func collision(in routes: [Route]) -> String? {
    var seen: Set<[String]> = []
    return routes.lazy.map { $0.segments + ($0.isPrefix ? ["**"] : []) }.first { !seen.insert($0).inserted }
      .map { "/" + $0.joined(separator: "/") }
  }

  /// Answers a path and everything below it that has no route of its own. What is below is not this server's: it may have
  /// empty segments and encoded slashes, but no dots that would lead out again.
  init(below prefix: [String], receivers: [HTTPRequest.Method: Receiver]) {
    segments = prefix
    isPrefix = true
    self.receivers = receivers
    pattern = "/" + (prefix + ["**"]).joined(separator: "/")
  }
}

/// A door of a running server, as the program sees it that embeds the server: ``OstiaryApplication/door(_:)`` finds it.
public protocol ServedDoor: Sendable {}

/// One protocol that the server speaks.
///
/// A door must answer on its routes as the system it imitates would, and must leave every decision about who somebody
/// is to the server's shared identity and session services. It must never block a thread, and never put a secret in
/// clear into a log, an error or a store.
package protocol Door: ServedDoor {
  /// A short name, as on a command line: `pega`.
  var name: String { get }

  /// What the door imitates, for people.
  var title: String { get }

  /// Where a client of this door is pointed at: an absolute URL under the server's public one.
  var address: String { get }

  /// What the door answers. Patterns of different doors must not collide.
  var routes: [Route] { get }

  /// A command, ready to paste into a shell, that signs `username` in through this door.
  func signIn(as username: String) -> String
}
