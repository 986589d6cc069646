import Foundation

/// What the server of a document knows and has done: a value without a socket or a clock.
struct WireState: Sendable {
  /// A sign-in and what has become of it.
  struct Login: Sendable {
    let user: WireAccount
    var token = ""
    var renewalToken = ""
    var expiry = Date.distantFuture
    /// What the present tokens were given for, until one of them is used.
    var predecessor: String?
  }

  /// What the server has done.
  struct Counts: Sendable, Equatable {
    var prepares = 0
    var signIns = 0
    var refusedSignIns = 0
    /// Codes of second factors that were refused.
    var refusedCodes = 0
    var renewals = 0
    var refusedRenewals = 0
    var repeatedRenewals = 0
    /// Spent tokens that were shown again at a server that takes that for theft.
    var reusedTokens = 0
    var questions = 0
    var ends = 0
    var executed = 0
    var refused = 0
  }

  var counts = Counts()
  var logins: [Int: Login] = [:]
  /// Tokens that are good, and whose.
  var tokens: [String: Int] = [:]
  /// What can be renewed with.
  var renewals: [String: Int] = [:]
  /// What has been renewed with, and can't again.
  var spent: [String: Int] = [:]
  /// Values that the server has named, by their names.
  var named: [String: Set<String>] = [:]
  /// Who has shown the password in the sign-in that is under way.
  var authenticated: WireAccount?
  /// What no client must do, in words.
  var broken: [String] = []
  /// How many answers to renewals are lost.
  var lostAnswers = 0
  /// The kind of second factor that a sign-in is asked for, until it is given.
  var wantedFactor: String?
  /// What calls of a step, or the app's requests (`request`), are answered by another host in between.
  var disguise: (step: String, answer: WireAnswer)?
  /// Whether the server can't answer now.
  var isFailing = false
  private(set) var serial = 0

  mutating func next() -> Int {
    serial += 1
    return serial
  }

  /// Makes every token invalid. What renews stays good.
  mutating func expireTokens() { tokens = [:] }

  /// Ends sign-ins: what renews them is over, too.
  mutating func dropLogins() {
    for id in logins.keys { end(id) }
  }

  mutating func end(_ id: Int) {
    logins[id] = nil
    tokens = tokens.filter { $0.value != id }
    renewals = renewals.filter { $0.value != id }
  }

  /// Whose a token is that is good now.
  func login(token: String?, now: Date) -> Int? {
    guard let token, let id = tokens[token], let login = logins[id], now < login.expiry else { return nil }
    return id
  }
}
