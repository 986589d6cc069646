package import HTTPTypes

/// A path, its methods, and their handlers.
package struct Route: Sendable {
  /// Answers a request.
  package typealias Handler = @Sendable (DoorRequest) async throws -> DoorResponse
  /// Answers a request whose body is too large for memory: the handler reads the body itself, as it arrives.
  typealias StreamHandler = @Sendable (DoorRequest, BodyStream) async throws -> DoorResponse

  /// The handler of a method.
  enum Receiver: Sendable {
    /// Gets the request with its whole body, which the server's limits bound.
    case whole(Handler)
    /// As ``whole(_:)``, for handlers that only read: the handler's task is cancelled when the client disconnects.
    case abandonable(Handler)
    /// Gets the body as a stream that ends, at the latest, after `time`.
    case streamed(time: Duration, StreamHandler)
    /// As ``streamed(time:_:)``, for requests to another server: their query is not judged, and their body may take any
    /// time as long as bytes arrive.
    case relayed(StreamHandler)
  }

  /// The path's segments, as text or as `:name`, which matches any one segment.
  let segments: [String]
  /// Whether the route also matches all paths below the segments.
  let isPrefix: Bool
  /// The handler of each method.
  let receivers: [HTTPRequest.Method: Receiver]
  /// The pattern, as logs and lists have it.
  let pattern: String
  /// The door whose route it is, in metrics.
  var door: MetricValue = "server"

  /// Makes a route.
  /// - Parameters:
  ///   - pattern: Such as `/prweb/api/v1/cases` or `/items/:item`.
  ///   - handlers: The handler of each method. `GET` answers `HEAD` as well; any other method gets 405.
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

  /// A path that two routes match, if there is one.
  static func collision(in routes: [Route]) -> String? {
    var seen: Set<[String]> = []
    return routes.lazy.map { $0.segments + ($0.isPrefix ? ["**"] : []) }.first { !seen.insert($0).inserted }
      .map { "/" + $0.joined(separator: "/") }
  }

  /// Answers a path and all paths below it that have no route of their own. The paths below belong to another server:
  /// they may have empty segments and encoded slashes, but no dots that lead out of the prefix.
  init(below prefix: [String], receivers: [HTTPRequest.Method: Receiver]) {
    segments = prefix
    isPrefix = true
    self.receivers = receivers
    pattern = "/" + (prefix + ["**"]).joined(separator: "/")
  }
}

/// A door of a running server, for the program that embeds the server: ``OstiaryApplication/door(_:)`` finds it.
public protocol ServedDoor: Sendable {}

/// One protocol that the server speaks.
///
/// A door must answer on its routes as the imitated system would, and must leave every decision about a user's identity
/// to the server's shared identity and session services. It must never block a thread, and never write a secret in
/// clear to a log, an error or a store.
package protocol Door: ServedDoor {
  /// A short name, as on a command line: `pega`.
  var name: String { get }

  /// The imitated system, for people.
  var title: String { get }

  /// The address for this door's clients: an absolute URL under the server's public one.
  var address: String { get }

  /// The door's routes. Patterns of different doors must not collide.
  var routes: [Route] { get }

  /// A command, ready to paste into a shell, that signs `username` in through this door.
  func signIn(as username: String) -> String
}
