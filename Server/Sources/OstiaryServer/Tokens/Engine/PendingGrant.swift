import Foundation
internal import OstiaryCore

/// A grant that somebody has still to take up, as a code or a device's request keeps it.
struct PendingGrant: Codable, Sendable {
  let scopes: [String]
  let includesRefreshToken: Bool
  let accessPrefix: String
  let refreshPrefix: String
  let attributes: [String: JSONValue]

  /// As many bytes as a grant's attributes may have.
  static let mostAttributeBytes = 4096

  /// - Throws: `attributesTooLarge`.
  init(_ request: GrantRequest) throws(ServerError) {
    scopes = ScopeList.normalized(request.scopes)
    includesRefreshToken = request.includesRefreshToken
    accessPrefix = request.prefixes.access
    refreshPrefix = request.prefixes.refresh
    attributes = request.attributes
    _ = try Self.column(attributes)
    guard accessPrefix.utf8.count <= 64, refreshPrefix.utf8.count <= 64 else {
      throw ServerError(.attributesTooLarge, "A token's prefix is too long.", advice: "Use 64 bytes at most.")
    }
  }

  var prefixes: TokenPrefixes { TokenPrefixes(access: accessPrefix, refresh: refreshPrefix) }

  /// Attributes as they rest.
  /// - Throws: `attributesTooLarge`.
  static func column(_ attributes: [String: JSONValue]) throws(ServerError) -> String {
    if attributes.isEmpty { return "{}" }
    let text: String
    do { text = try AttributesColumn.encode(attributes) } catch { throw .storage(error) }
    guard text.utf8.count <= mostAttributeBytes else {
      throw ServerError(
        .attributesTooLarge, "A grant or a client can't carry that much.",
        advice: "Keep its attributes below \(mostAttributeBytes) bytes.")
    }
    return text
  }

  func encoded() throws -> String { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }

  init(column text: String) throws {
    do {
      self = try JSONDecoder().decode(PendingGrant.self, from: Data(text.utf8))
    } catch {
      throw ServerError(.storageCorrupt, "A stored grant is damaged.", advice: "Restore a backup.", underlying: error)
    }
  }
}
