internal import Foundation
internal import OstiaryCore

/// A session of one of the schemes, as a `Session` keeps it: the secret in its proof, the rest in its attributes.
struct SchemeSession: Sendable {
  /// What requests show.
  enum Shown: Sendable {
    case digest(DigestAccount)
    /// User name and password as the field has them.
    case basic(Secret)
    case bearer(Secret)
  }

  let user: Session.User
  let realm: String?
  let shown: Shown
  /// The parts of the server that asked for it.
  let paths: [String]
  /// The path at which it was tried.
  let checkedPath: String?
  /// Whether the server takes the proof without having asked for it.
  let isUnasked: Bool

  init(
    user: Session.User, realm: String?, shown: Shown, paths: [String], checkedPath: String?, isUnasked: Bool = false
  ) {
    self.user = user
    self.realm = realm
    self.shown = shown
    self.paths = paths
    self.checkedPath = checkedPath
    self.isUnasked = isUnasked
  }

  /// - Returns: `nil` for a session that none of the schemes has made.
  init?(_ session: Session) {
    let attributes = session.attributes
    let realm = attributes["realm"]?.string
    switch attributes["scheme"]?.string.flatMap(HTTPAuthenticationScheme.init) {
    case .digest:
      guard let key = session.proof.tokens[HTTPAuthentication.digestKeyToken], let realm,
        let algorithm = DigestAlgorithm(named: attributes["algorithm"]?.string)
      else { return nil }
      shown = .digest(
        DigestAccount(
          username: session.user.id, realm: realm, algorithm: algorithm, key: key,
          isUTF8: attributes["charset"]?.string == "UTF-8"))
    case .basic:
      guard let proof = session.proof.tokens[HTTPAuthentication.basicToken] else { return nil }
      shown = .basic(proof)
    case .bearer:
      guard let proof = session.proof.tokens[HTTPAuthentication.accessToken] else { return nil }
      shown = .bearer(proof)
    case nil: return nil
    }
    user = session.user
    self.realm = realm
    paths = attributes["paths"]?.array?.compactMap(\.string) ?? []
    checkedPath = attributes["checked"]?.string
    isUnasked = attributes["unasked"] == true
  }

  /// What is shown, to compare and to forget.
  var secret: Secret {
    switch shown {
    case .digest(let account): account.key
    case .basic(let proof), .bearer(let proof): proof
    }
  }

  /// Scheme and algorithm.
  var method: String {
    switch shown {
    case .digest(let account): account.algorithm.name
    case .basic: "basic"
    case .bearer: "bearer"
    }
  }

  /// The session as the manager gets it.
  func grant(clockSkew: TimeInterval) -> SessionGrant {
    var attributes: [String: JSONValue] = ["paths": .array(paths.map(JSONValue.string))]
    if let realm { attributes["realm"] = .string(realm) }
    if let checkedPath { attributes["checked"] = .string(checkedPath) }
    if isUnasked { attributes["unasked"] = true }
    let token: String
    switch shown {
    case .digest(let account):
      token = HTTPAuthentication.digestKeyToken
      attributes["scheme"] = "digest"
      attributes["algorithm"] = .string(account.algorithm.name)
      if account.isUTF8 { attributes["charset"] = "UTF-8" }
    case .basic:
      token = HTTPAuthentication.basicToken
      attributes["scheme"] = "basic"
    case .bearer:
      token = HTTPAuthentication.accessToken
      attributes["scheme"] = "bearer"
    }
    return SessionGrant(
      user: user, proof: Proof(tokens: [token: secret]), clockSkew: clockSkew, attributes: attributes)
  }
}
