public import HTTPTypes
public import OstiaryCore

/// Says which requests a rule is about.
public struct RequestMatch: Sendable {
  let includes: @Sendable (TransportRequest) -> Bool

  /// Requests that `condition` is true for.
  public static func `where`(_ condition: @escaping @Sendable (TransportRequest) -> Bool) -> RequestMatch {
    RequestMatch(includes: condition)
  }

  /// Every request.
  public static var any: RequestMatch { RequestMatch { _ in true } }

  /// Requests with this method and path, with any query.
  public static func to(_ method: HTTPRequest.Method, _ path: String) -> RequestMatch {
    RequestMatch { $0.head.method == method && $0.pathWithoutQuery == path }
  }

  /// `GET` requests to `path`.
  public static func get(_ path: String) -> RequestMatch { to(.get, path) }

  /// `POST` requests to `path`.
  public static func post(_ path: String) -> RequestMatch { to(.post, path) }

  /// Requests to `path` with any method.
  public static func path(_ path: String) -> RequestMatch { RequestMatch { $0.pathWithoutQuery == path } }
}

extension TransportRequest {
  /// The path of the request's target, without the query.
  var pathWithoutQuery: String {
    guard let path = head.path else { return "/" }
    return String(path.prefix { $0 != "?" })
  }

  /// The request's method and path, as rules and counters name it.
  var routeName: String { "\(head.method.rawValue) \(pathWithoutQuery)" }
}
