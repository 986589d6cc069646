import Foundation
internal import OstiaryCore

/// A grant that the client has not redeemed yet, as a code or a device's request stores it.
struct PendingGrant: Codable, Sendable {
  let scopes: [String]
  let includesRefreshToken: Bool
  let accessPrefix: String
  let refreshPrefix: String
  let attributes: [String: JSONValue]

  /// - Throws: `attributesTooLarge`.
  init(_ request: GrantRequest) throws(ServerError) {
    scopes = ScopeList.normalized(request.scopes)
    includesRefreshToken = request.includesRefreshToken
    accessPrefix = request.prefixes.access
    refreshPrefix = request.prefixes.refresh
    attributes = request.attributes
    _ = try GrantAttributes.column(attributes)
    guard accessPrefix.utf8.count <= 64, refreshPrefix.utf8.count <= 64 else {
      throw ServerError(.attributesTooLarge, "A token's prefix is too long.", advice: "Use 64 bytes at most.")
    }
  }

  var prefixes: TokenPrefixes { TokenPrefixes(access: accessPrefix, refresh: refreshPrefix) }

  func encoded() throws -> String { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }

  init(column text: String) throws {
    do {
      self = try JSONDecoder().decode(PendingGrant.self, from: Data(text.utf8))
    } catch {
      throw ServerError(.storageCorrupt, "A stored grant is damaged.", advice: "Restore a backup.", underlying: error)
    }
  }
}
