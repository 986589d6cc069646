internal import Foundation
internal import OstiaryCore

// What a session keeps for later calls, and how it comes back.
extension DialectAuthenticator {
  /// The names of a proof's tokens.
  enum TokenName {
    static let kind = "kind"
    static let lineage = "lineage"
    /// The call that an interrupted sign-in goes on with.
    static let step = "step"
    /// When the renewal token is over, in seconds since 1970: no call depends on it.
    static let renewalExpiry = "renewalExpiry"

    static func value(_ name: String) -> String { "value.\(name)" }
  }

  /// The values before a sign-in.
  var ownValues: DialectValues {
    var values = DialectValues(settings)
    values["deviceName"] = deviceName.map { Secret($0) }
    return values
  }

  /// The values of a session.
  func values(of session: Session) -> DialectValues {
    var values = self.values(of: session.proof, session.user)
    if values["lineage"] == nil { values["lineage"] = Secret(session.version.lineage.uuidString.lowercased()) }
    return values
  }

  /// The values of a proof.
  func values(of proof: Proof, _ user: Session.User?) -> DialectValues {
    var values = ownValues
    for name in keptNames { values[name] = proof.tokens[TokenName.value(name)] ?? values[name] }
    for name in [Self.token, Self.renewalToken, TokenName.kind, TokenName.lineage] {
      values[name] = proof.tokens[name].flatMap { $0.isEmpty ? nil : $0 }
    }
    if let user, user.id != Session.User.unknown.id {
      values["userID"] = Secret(user.id)
      values["userName"] = user.displayName.map { Secret($0) }
    }
    return values
  }

  /// The proof that values make, over one that there was before.
  func proof(_ findings: DialectFindings, _ values: DialectValues, _ jar: CookieJar, over earlier: Proof?) -> Proof {
    var tokens = earlier?.tokens ?? [:]
    tokens[Self.token] = findings.token ?? tokens[Self.token]
    tokens[Self.renewalToken] = findings.renewalToken ?? tokens[Self.renewalToken]
    tokens[TokenName.kind] = findings.kind.map { Secret($0) } ?? tokens[TokenName.kind]
    if let date = findings.renewalExpiresAt {
      tokens[TokenName.renewalExpiry] = Secret(String(Int64(date.timeIntervalSince1970)))
    }
    for name in keptNames {
      if let value = findings.values[name] ?? values[name] { tokens[TokenName.value(name)] = value }
    }
    if keepsLineage { tokens[TokenName.lineage] = values["lineage"] ?? tokens[TokenName.lineage] }
    return Proof(cookies: jar, tokens: tokens)
  }

  /// Whether a sign-in learns what the server calls its user. Where it does not, the session's user goes by the name that was typed, and
  /// what another call says of the user is no other user for it.
  var namesUser: Bool {
    let calls = dialect.signIn + dialect.continuations.map(\.call) + [dialect.who].compactMap { $0 }
    return calls.contains { !$0.reads.userID.isEmpty }
  }

  /// What no text of an error may repeat.
  func secrets(in values: DialectValues) -> [Secret] {
    let names = ["password", "code", "handle", Self.token, Self.renewalToken] + keptNames.sorted()
    let secretSettings = dialect.settings.filter(\.isSecret).map(\.name)
    return (names + secretSettings).compactMap { values[$0] }
  }
}

extension DialectValues {
  /// Takes what an answer said.
  mutating func take(_ findings: DialectFindings) {
    if let token = findings.token { self["token"] = token }
    if let token = findings.renewalToken { self["renewalToken"] = token }
    if let kind = findings.kind { self["kind"] = Secret(kind) }
    if let id = findings.userID { self["userID"] = Secret(id) }
    if let name = findings.userName { self["userName"] = Secret(name) }
    for (name, value) in findings.values { self[name] = value }
  }
}
