import HTTPTypes

/// Finds the route of a request. A literal segment wins over a named one.
struct RouteTable: Sendable {
  enum Match: Sendable {
    case found(Route.Receiver, parameters: [String: String], pattern: String)
    case otherMethods(allowed: [String])
    case unknown

    /// Whether the request is for another server.
    var isRelayed: Bool {
      if case .found(.relayed, _, _) = self { true } else { false }
    }
  }

  private struct Node: Sendable {
    var literals: [String: Node] = [:]
    /// At most one element: the node after a segment that matches any text.
    var anything: [Node] = []
    var route: Route?

    mutating func insert(_ route: Route, _ rest: ArraySlice<String>) {
      guard let segment = rest.first else {
        self.route = route
        return
      }
      if segment.hasBytePrefix(":") {
        if anything.isEmpty { anything.append(Node()) }
        anything[0].insert(route, rest.dropFirst())
      } else {
        literals[segment, default: Node()].insert(route, rest.dropFirst())
      }
    }

    func find(_ rest: ArraySlice<String>) -> Route? {
      guard let segment = rest.first else { return route }
      return literals[segment]?.find(rest.dropFirst()) ?? anything.first?.find(rest.dropFirst())
    }
  }

  private var root = Node()
  /// The routes without named segments, by the one path that needs no decoding.
  private let literal: [String: Route]
  /// The longest first.
  private let prefixes: [Route]
  /// The door of each pattern.
  let doors: [String: MetricValue]

  init(_ routes: [Route]) {
    doors = Dictionary(routes.map { ($0.pattern, $0.door) }) { first, _ in first }
    prefixes = routes.filter(\.isPrefix).sorted { $0.segments.count > $1.segments.count }
    let literal = routes.filter { route in
      !route.isPrefix && !route.segments.contains { $0.hasBytePrefix(":") }
        && Self.segments(of: route.pattern) == route.segments
    }
    self.literal = Dictionary(literal.map { ($0.pattern, $0) }) { _, last in last }
    for route in routes where !route.isPrefix { root.insert(route, route.segments[...]) }
  }

  /// Finds the handler for `method` on `path` (percent-encoded, without the query). One slash at the end is ignored.
  func match(_ method: HTTPRequest.Method, _ path: String) -> Match {
    if let route = literal[path], route.pattern.hasSameBytes(as: path) {
      guard let receiver = Self.receiver(method, of: route) else { return Self.otherMethods(of: route) }
      return .found(receiver, parameters: [:], pattern: route.pattern)
    }
    guard let segments = Self.segments(of: path), let route = root.find(segments[...]),
      // The table compares names as `String` does, which is not a comparison of bytes.
      zip(route.segments, segments).allSatisfy({ $0.hasBytePrefix(":") || $0.hasSameBytes(as: $1) })
    else { return matchPrefix(method, path) }
    guard let receiver = Self.receiver(method, of: route) else { return Self.otherMethods(of: route) }
    var parameters: [String: String] = [:]
    for (name, value) in zip(route.segments, segments) where name.hasBytePrefix(":") {
      parameters[String(name.droppingBytes(1))] = value
    }
    return .found(receiver, parameters: parameters, pattern: route.pattern)
  }

  private static func receiver(_ method: HTTPRequest.Method, of route: Route) -> Route.Receiver? {
    route.receivers[method] ?? (method == .head ? route.receivers[.get] : nil)
  }

  private static func otherMethods(of route: Route) -> Match {
    var allowed = route.receivers.keys.map(\.rawValue)
    if route.receivers[.get] != nil { allowed.append("HEAD") }
    return .otherMethods(allowed: allowed.sorted())
  }

  private func matchPrefix(_ method: HTTPRequest.Method, _ path: String) -> Match {
    guard !prefixes.isEmpty, let parts = PathParts(path) else { return .unknown }
    guard let route = prefixes.first(where: { parts.begin(with: $0.segments) }) else { return .unknown }
    guard let receiver = Self.receiver(method, of: route) else { return Self.otherMethods(of: route) }
    return .found(receiver, parameters: [:], pattern: route.pattern)
  }

  /// The decoded segments of a path; nil if one is empty, is malformed, would hide a slash, or is one of the dots that
  /// a proxy or a browser would have resolved (RFC 3986 §5.2.4).
  private static func segments(of path: String) -> [String]? {
    guard path.hasBytePrefix("/") else { return nil }
    var parts = path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    if parts.last?.isEmpty == true { parts.removeLast() }
    guard parts.count <= 32 else { return nil }
    var segments: [String] = []
    for part in parts {
      guard let segment = FormFields.decode(part, plusIsSpace: false), !segment.isEmpty,
        !segment.containsByte("/"), segment != ".", segment != ".."
      else { return nil }
      segments.append(segment)
    }
    return segments
  }
}
