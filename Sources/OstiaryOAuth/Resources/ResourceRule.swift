internal import Foundation
internal import HTTPTypes
internal import OstiaryCore

/// Which documents are about the API that was asked (RFC 9728 §3.3 and §7.3).
struct ResourceRule: Sendable {
  /// The app's own word for its API.
  let api: URL
  let origin: Origin

  /// Whether what a document says that it is about is the request's address, or the app's API, when the request went below its path. A request
  /// that went to another origin was led there: its answers are no word about the API.
  func accepts(_ resource: String, for request: URL) -> Bool {
    guard Origin(request) == origin else { return false }
    if resource.hasSameBytes(as: Self.text(request)) { return true }
    guard Self.isSame(resource, Self.text(api)) else { return false }
    return Self.isPath(request.path(percentEncoded: true), below: api.path(percentEncoded: true))
  }

  /// Where an API's document is when its answers don't say (RFC 9728 §3.1): the well-known part comes before the path.
  var document: URL? {
    let path = api.path(percentEncoded: true)
    let query = api.query(percentEncoded: true).map { "?" + $0 } ?? ""
    return URL(string: "\(origin)/.well-known/oauth-protected-resource\(path == "/" ? "" : path)\(query)")
  }

  /// The address of the document that a 401 names; `nil` where it names none.
  /// - Throws: `metadataUnusable` for more than one.
  static func document(namedBy response: HTTPResponse) throws -> String? {
    let named = response.authenticationChallenges.compactMap { $0.parameters["resource_metadata"] }
    guard let first = named.first else { return nil }
    guard named.allSatisfy({ $0.hasSameBytes(as: first) }) else {
      throw OstiaryError.unusableMetadata("The API's answer names two documents about itself.", "RFC 9728 §5.1")
    }
    return first
  }

  /// The address without a fragment, which never travels.
  private static func text(_ url: URL) -> String { String(url.absoluteString.prefix { $0 != "#" }) }

  /// Byte for byte; an address without a path and one with the path `/` are the same (RFC 3986 §6.2.3).
  private static func isSame(_ one: String, _ other: String) -> Bool {
    one.hasSameBytes(as: other) || withPath(one).hasSameBytes(as: withPath(other))
  }

  private static func withPath(_ text: String) -> String {
    text.utf8.count(where: { $0 == UInt8(ascii: "/") }) == 2 && !text.contains("?") ? text + "/" : text
  }

  /// Whether a path is another one or goes on behind it. One that goes up again is not followed.
  private static func isPath(_ path: String, below base: String) -> Bool {
    let steps = path.split(separator: "/", omittingEmptySubsequences: false).map { $0.removingPercentEncoding ?? ".." }
    guard !steps.contains(where: { $0 == "." || $0 == ".." || $0.contains("\\") || $0.contains("/") }) else {
      return false
    }
    let base = base.hasSuffix("/") ? String(base.dropLast()) : base
    return path.hasSameBytes(as: base) || path.utf8.starts(with: (base + "/").utf8)
  }
}
