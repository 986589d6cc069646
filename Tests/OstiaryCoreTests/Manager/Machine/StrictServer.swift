import OstiaryTesting

/// A server in numbers: a proof is a number that stands for tokens and a jar of cookies, and every sign-in starts a family of
/// proofs.
///
/// One-time tokens: the server rotates tokens once and ends the family when used ones are shown; the forgiving variant gives
/// the last used tokens their successor again until that one is used. Cookies: any answer may bring a new jar; the old one is
/// over at once, or accepted until its grace ends. New tokens are accepted with any jar until an answer to them brings one.
struct StrictServer {
  struct Rules: Sendable, Hashable {
    var hasTokens = true
    /// Whether used tokens get the same successor again.
    var isForgiving = false
    /// Whether answers bring new cookies.
    var rolls = false
    /// Whether older cookies are accepted for some time.
    var hasGrace = false
    /// Whether a cookie may be set back to a value that it had before, and that has not been refused since.
    var returns = false
    /// Whether the store's exclusive access can be lost while its holder lives.
    var accessCanBeLost = false
    /// Whether earlier entries of the sign-in are put back into the store.
    var putsBack = false
    /// Whether a process of the version before writes entries without the time of the sign-in.
    var hasOlderVersion = false
    /// Whether the app signs in anew over a session that is past its date or refused.
    var signsInAnew = false
    /// Whether a sign-out needs proof that is good.
    var endsByGoodProof = false

    /// Rules drawn at random.
    static func any(_ seed: UInt64) -> Rules {
      var random = SplitMix64(seed: ~seed)
      func yes() -> Bool { Bool.random(using: &random) }
      let hasTokens = yes()
      return Rules(
        hasTokens: hasTokens, isForgiving: hasTokens && yes(), rolls: !hasTokens || yes(), hasGrace: yes(),
        returns: yes(), accessCanBeLost: yes(), putsBack: yes(), hasOlderVersion: yes(), signsInAnew: yes(),
        endsByGoodProof: yes())
    }
  }

  /// What a proof is made of.
  struct Content: Hashable {
    let family: Int
    var tokens = 0
    var jar = 0
  }

  struct Family {
    let user: String
    var tokens: Int
    /// The tokens that these were given for.
    var parent: Int?
    var jar: Int
    /// The jars that are accepted with the newest tokens; `nil`: any.
    var good: Set<Int>?
    /// Jars that may come back.
    var earlier: [Int] = []
    var isLive = true
    /// Whether the server has ever refused a proof of it.
    var hasRefused = false
  }

  enum Renewal { case given(Int), refused, reused }

  let rules: Rules
  private(set) var families: [Family] = []
  private var contents: [Content] = []
  private var numbers: [Content: Int] = [:]
  private var lastValue = 0

  init(_ rules: Rules) { self.rules = rules }

  subscript(_ proof: Int) -> Content { contents[proof] }

  func family(of proof: Int) -> Int { contents[proof].family }

  mutating func proof(_ content: Content) -> Int {
    if let number = numbers[content] { return number }
    numbers[content] = contents.count
    contents.append(content)
    return contents.count - 1
  }

  /// The tokens of the one with the jar of the other.
  mutating func beside(_ proof: Int, _ other: Int) -> Int {
    self.proof(Content(family: family(of: proof), tokens: contents[proof].tokens, jar: contents[other].jar))
  }

  private mutating func value() -> Int {
    lastValue += 1
    return lastValue
  }

  mutating func signIn(_ user: String) -> Int {
    let content = Content(
      family: families.count, tokens: rules.hasTokens ? value() : 0, jar: rules.rolls ? value() : 0)
    families.append(Family(user: user, tokens: content.tokens, jar: content.jar, good: [content.jar]))
    return proof(content)
  }

  mutating func end(_ family: Int) { families[family].isLive = false }

  /// Ends a family for a process that shows proof of it. Used proof ends nothing.
  mutating func end(with proof: Int) {
    if rules.hasTokens ? isNewest(proof) : !rules.endsByGoodProof || accepts(proof) { end(family(of: proof)) }
  }

  /// Ends a family for a reason of the server's own.
  mutating func revoke(_ family: Int) {
    families[family].isLive = false
    families[family].hasRefused = true
  }

  /// - Parameter rolls: whether the answer brings a new jar, too.
  mutating func renew(_ proof: Int, rolls: Bool) -> Renewal {
    let shown = contents[proof]
    let family = shown.family
    guard families[family].isLive else {
      families[family].hasRefused = true
      return .refused
    }
    if shown.tokens == families[family].tokens {
      families[family].parent = shown.tokens
      families[family].tokens = value()
      families[family].good = nil
      var new = Content(family: family, tokens: families[family].tokens, jar: shown.jar)
      if rolls, rules.rolls {
        new.jar = value()
        roll(family, to: new.jar)
      }
      return .given(self.proof(new))
    }
    if rules.isForgiving, shown.tokens == families[family].parent {
      return .given(self.proof(Content(family: family, tokens: families[family].tokens, jar: shown.jar)))
    }
    families[family].isLive = false
    families[family].hasRefused = true
    return .reused
  }

  private mutating func roll(_ family: Int, to jar: Int) {
    families[family].earlier.append(families[family].jar)
    families[family].earlier.removeAll { $0 == jar }
    families[family].jar = jar
    let before = rules.hasGrace ? families[family].good ?? [] : []
    families[family].good = before.union([jar])
  }

  /// Answers a request.
  /// - Parameter back: the place of the earlier jar that the answer sets, if it sets one back.
  /// - Returns: whether the proof was accepted, and the jar that the answer brings.
  mutating func answer(_ proof: Int, rolls: Bool, back: Int?) -> (isAccepted: Bool, jar: Int?) {
    let family = family(of: proof)
    guard accepts(proof) else {
      families[family].hasRefused = true
      families[family].earlier.removeAll { $0 == contents[proof].jar }
      return (false, nil)
    }
    guard rolls, rules.rolls else { return (true, nil) }
    let earlier = families[family].earlier
    roll(family, to: back.flatMap { earlier.isEmpty ? nil : earlier[$0 % earlier.count] } ?? value())
    return (true, families[family].jar)
  }

  func accepts(_ proof: Int) -> Bool {
    let content = contents[proof]
    let family = families[content.family]
    return family.isLive && family.tokens == content.tokens && family.good?.contains(content.jar) ?? true
  }

  /// Whether nothing newer has been given for its family: tokens have an order, cookies alone have the last one.
  func isNewest(_ proof: Int) -> Bool {
    let content = contents[proof]
    let family = families[content.family]
    return rules.hasTokens ? family.tokens == content.tokens : family.jar == content.jar
  }

  /// Whether the session goes on with this proof: it is accepted, or renewed.
  func goesOn(with proof: Int) -> Bool {
    families[family(of: proof)].isLive && (rules.hasTokens ? isNewest(proof) : accepts(proof))
  }

  mutating func endGrace(_ family: Int) {
    if families[family].good != nil { families[family].good = [families[family].jar] }
  }
}
