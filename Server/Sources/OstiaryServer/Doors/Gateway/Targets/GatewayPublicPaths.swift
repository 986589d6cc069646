/// The paths that need no session.
///
/// A path is compared only if all servers read it alike, decoded and without the query: a path with an encoding, an
/// empty segment, dots or a parameter (`;`) always needs a session.
struct GatewayPublicPaths: Sendable {
  private let whole: Set<[String]>
  private let prefixes: [[String]]

  init(_ paths: [String]) {
    let rules = paths.compactMap(Self.segments)
    whole = Set(rules.filter { $0.last != "*" })
    prefixes = rules.filter { $0.last == "*" }.map { $0.dropLast() }
  }

  /// The segments of a rule; nil if the rule is invalid.
  static func segments(_ rule: String) -> [String]? {
    guard let parts = PathParts(rule), parts.isUnambiguous, !rule.containsByte("?"), !rule.containsByte("#"),
      !parts.decoded.dropLast().contains(where: { $0.containsByte("*") }), rule != "/*",
      parts.decoded.last?.containsByte("*") != true || parts.decoded.last == "*"
    else { return nil }
    return parts.decoded
  }

  /// Whether a path, as it was sent and without the query, needs no session.
  func contains(_ path: String) -> Bool {
    guard !whole.isEmpty || !prefixes.isEmpty, let parts = PathParts(path), parts.isUnambiguous else { return false }
    return whole.contains(parts.decoded)
      || prefixes.contains { parts.decoded.count > $0.count && parts.decoded.starts(with: $0) }
  }
}
