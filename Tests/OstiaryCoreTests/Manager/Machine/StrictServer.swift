import Foundation

/// A server in numbers: a proof is a number, and every sign-in starts a family of proofs.
///
/// One-time tokens: the server rotates a token once and ends the family when a used one is shown; the forgiving variant gives the
/// last used token its successor again until that one is used. Cookies: any answer may bring a new one; the old one is over at
/// once, or accepted until its grace ends.
struct StrictServer {
  struct Rules: Sendable, Hashable {
    var hasTokens = true
    /// Whether a used token gets the same successor again.
    var isForgiving = false
    /// Whether older cookies are accepted for some time.
    var hasGrace = false
    /// Whether the store's exclusive access can be lost while its holder lives.
    var accessCanBeLost = false
  }

  struct Family {
    let user: String
    var newest: Int
    /// The proof that the newest was given for.
    var parent: Int?
    var good: Set<Int>
    var isLive = true
    /// Whether the server has ever refused a proof of it.
    var hasRefused = false
  }

  enum Renewal { case given(Int), refused, reused }

  let rules: Rules
  private(set) var families: [Family] = []
  private(set) var origins: [Int] = []

  init(_ rules: Rules) { self.rules = rules }

  func family(of proof: Int) -> Int { origins[proof] }

  private mutating func proof(of family: Int) -> Int {
    origins.append(family)
    return origins.count - 1
  }

  mutating func signIn(_ user: String) -> Int {
    let proof = proof(of: families.count)
    families.append(Family(user: user, newest: proof, good: [proof]))
    return proof
  }

  mutating func end(_ family: Int) { families[family].isLive = false }

  /// Ends a family for who shows proof of it. A used token ends nothing.
  mutating func end(_ family: Int, with proof: Int) {
    if !rules.hasTokens || families[family].newest == proof { end(family) }
  }

  /// Ends a family for a reason of the server's own.
  mutating func revoke(_ family: Int) {
    families[family].isLive = false
    families[family].hasRefused = true
  }

  mutating func renew(_ proof: Int) -> Renewal {
    let family = family(of: proof)
    guard families[family].isLive else {
      families[family].hasRefused = true
      return .refused
    }
    if proof == families[family].newest {
      let new = self.proof(of: family)
      families[family].parent = proof
      families[family].newest = new
      families[family].good = [new]
      return .given(new)
    }
    if rules.isForgiving, proof == families[family].parent { return .given(families[family].newest) }
    families[family].isLive = false
    families[family].hasRefused = true
    return .reused
  }

  /// Answers a request.
  /// - Returns: whether the proof was accepted, and the cookie that the answer brings.
  mutating func answer(_ proof: Int, rolls: Bool) -> (isAccepted: Bool, new: Int?) {
    let family = family(of: proof)
    guard accepts(proof) else {
      families[family].hasRefused = true
      return (false, nil)
    }
    guard rolls, !rules.hasTokens else { return (true, nil) }
    let new = self.proof(of: family)
    families[family].newest = new
    if rules.hasGrace { families[family].good.insert(new) } else { families[family].good = [new] }
    return (true, new)
  }

  func accepts(_ proof: Int) -> Bool {
    let family = families[family(of: proof)]
    return family.isLive && family.good.contains(proof)
  }

  mutating func endGrace(_ family: Int) { families[family].good = [families[family].newest] }
}
