internal import OstiaryCore

/// The challenge that is answered, of all that a server offers.
enum SchemeChoice: Sendable {
  case digest(DigestChallenge)
  case basic(realm: String, isUTF8: Bool)
  case bearer(realm: String?)

  /// The strongest challenge that may be answered.
  /// - Parameters:
  ///   - isConfidential: whether no host on the way can read what is sent.
  ///   - isEligible: which schemes the credential is for.
  /// - Returns: the challenge; `nil` when the server offers none of the schemes.
  /// - Throws: ``UnusableChallenge`` when it offers one, but none that may be answered.
  static func strongest(
    of challenges: [AuthenticationChallenge], configuration: HTTPAuthenticationConfiguration, isConfidential: Bool,
    isEligible: (HTTPAuthenticationScheme) -> Bool = { _ in true }
  ) throws(UnusableChallenge) -> SchemeChoice? {
    var best: SchemeChoice?
    var obstacles: [UnusableChallenge] = []
    for challenge in challenges {
      guard let scheme = HTTPAuthenticationScheme(rawValue: challenge.scheme), configuration.schemes.contains(scheme),
        isEligible(scheme)
      else { continue }
      if let realm = configuration.realm, challenge.realm.map({ $0.utf8.elementsEqual(realm.utf8) }) != true {
        continue
      }
      do throws(UnusableChallenge) {
        let choice = try read(challenge, scheme, configuration, isConfidential: isConfidential)
        if best.map({ $0.strength < choice.strength }) ?? true { best = choice }
      } catch {
        obstacles.append(error)
      }
    }
    if best == nil, let obstacle = obstacles.first { throw obstacle }
    return best
  }

  private static func read(
    _ challenge: AuthenticationChallenge, _ scheme: HTTPAuthenticationScheme,
    _ configuration: HTTPAuthenticationConfiguration, isConfidential: Bool
  ) throws(UnusableChallenge) -> SchemeChoice {
    let mayBeRead = isConfidential || configuration.insecurelySendsSecretsOverHTTP
    switch scheme {
    case .digest:
      let digest = try DigestChallenge(challenge)
      guard configuration.digestHashes.contains(digest.algorithm.hash) else {
        throw UnusableChallenge(
          "Digest with \(digest.algorithm.name), which is not allowed here",
          advice: "Allow the hash in the configuration, or ask the server's administrator for a stronger one.")
      }
      return .digest(digest)
    case .basic:
      guard mayBeRead else {
        throw UnusableChallenge.readable("Basic over plain http, which shows the password on the way")
      }
      // RFC 7617 demands a realm; servers without one have one protection space.
      return .basic(realm: challenge.realm ?? "", isUTF8: challenge.parameters["charset"]?.lowercased() == "utf-8")
    case .bearer:
      guard mayBeRead else {
        throw UnusableChallenge.readable("Bearer over plain http, which shows the token on the way")
      }
      return .bearer(realm: challenge.realm)
    }
  }

  /// Of equally strong ones the server's first counts, as it lists them in its order of preference.
  private var strength: Int {
    switch self {
    case .basic: 0
    case .digest(let challenge):
      switch challenge.algorithm.hash {
      case .md5: 1
      case .sha256: 2
      case .sha512t256: 3
      }
    case .bearer: 4
    }
  }
}
