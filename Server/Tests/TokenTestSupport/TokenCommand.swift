/// What a test tells a token worker to do, one a line.
package struct TokenCommand: Codable, Sendable {
  /// What to do.
  package enum Action: String, Codable, Sendable {
    case refresh
    case revoke
    /// Look an access token up.
    case find
  }

  package var id: Int
  package var action: Action
  package var token: String
  /// When it is, in seconds since 1970.
  package var time: Double

  package init(id: Int, action: Action, token: String, time: Double) {
    (self.id, self.action, self.token, self.time) = (id, action, token, time)
  }
}
