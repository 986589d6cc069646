/// What a token worker answers, one a line.
package struct TokenAnswer: Codable, Sendable {
  /// The command's.
  package var id: Int
  /// Of an answered refresh.
  package var refreshToken: String?
  package var accessToken: String?
  /// Why a refresh was refused.
  package var refusal: String?
  /// Whether a revocation or a look-up has found something.
  package var found: Bool?
  /// What failed, so that nothing is known.
  package var failure: String?

  package init(
    id: Int, refreshToken: String? = nil, accessToken: String? = nil, refusal: String? = nil, found: Bool? = nil,
    failure: String? = nil
  ) {
    (self.id, self.refreshToken, self.accessToken) = (id, refreshToken, accessToken)
    (self.refusal, self.found, self.failure) = (refusal, found, failure)
  }
}
