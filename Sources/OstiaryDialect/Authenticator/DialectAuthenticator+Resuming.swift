internal import Foundation
internal import OstiaryCore

// A sign-in of several calls that a later one interrupts. What the server has given by then is kept: the manager repeats the rest alone.
extension DialectAuthenticator {
  /// Makes the calls that sign in.
  func runSignIn(_ talk: inout DialectTalk) async throws -> SessionGrant {
    let sites = dialect.signInSites
    for (index, site) in sites.enumerated() {
      do {
        try await run(site, &talk)
      } catch let error as OstiaryError where hasProof(talk) {
        guard error.disposition != .terminal, canResume(from: index) else {
          await giveBack(talk)
          throw error
        }
        return unfinished(talk, from: index)
      } catch is CancellationError where hasProof(talk) {
        await giveBack(talk)
        throw CancellationError()
      }
    }
    return try grant(talk, .signIn)
  }

  /// Whether the server has given a session already.
  private func hasProof(_ talk: DialectTalk) -> Bool {
    guard talk.last != nil else { return false }
    return isCookieProof ? hasSession(talk.jar) : talk.findings.token != nil
  }

  /// Whether the calls from one on need nothing that is not kept.
  private func canResume(from index: Int) -> Bool {
    dialect.signIn.dropFirst(index).allSatisfy { $0.names.isDisjoint(with: DialectName.passwords) }
  }

  /// What there is of a sign-in before a call, to be continued by ``identify(_:in:)``.
  private func unfinished(_ talk: DialectTalk, from index: Int) -> SessionGrant {
    let findings = talk.findings
    var proof = self.proof(findings, talk.values, talk.jar, over: nil)
    proof.tokens[TokenName.step] = Secret(String(index))
    for call in dialect.signIn.dropFirst(index) {
      for name in call.names where settings[name] == nil { proof.tokens[TokenName.value(name)] = talk.values[name] }
    }
    for (name, value) in findings.values { proof.tokens[TokenName.value(name)] = value }
    proof.tokens[TokenName.value("userID")] = findings.userID.map { Secret($0) }
    proof.tokens[TokenName.value("userName")] = findings.userName.map { Secret($0) }
    let user = Session.User(id: talk.values["username"]?.reveal() ?? Session.User.unknown.id)
    var grant = SessionGrant(
      user: user, proof: proof, expiresAt: findings.expiresAt, clockSkew: talk.last?.clockSkew ?? 0,
      attributes: findings.attributes)
    grant.needsIdentification = true
    return grant
  }

  /// The rest of a sign-in; `nil` for a grant that has none.
  func finished(_ grant: SessionGrant, _ context: AuthenticationContext) async throws -> SessionGrant? {
    let sites = dialect.signInSites
    guard let step = grant.proof.tokens[TokenName.step].flatMap({ Int($0.reveal()) }), sites.indices.contains(step)
    else {
      return nil
    }
    var findings = DialectFindings()
    var values = values(of: grant.proof, nil)
    for (name, value) in grant.proof.tokens where name.hasPrefix(TokenName.value("")) {
      let name = String(name.dropFirst(TokenName.value("").count))
      values[name] = value
      findings.values[name] = value
    }
    values["username"] = Secret(grant.user.id)
    findings.userID = findings.values.removeValue(forKey: "userID")?.reveal()
    findings.userName = findings.values.removeValue(forKey: "userName")?.reveal()
    findings.token = values["token"]
    findings.renewalToken = values["renewalToken"]
    findings.kind = values["kind"]?.reveal()
    findings.expiresAt = grant.expiresAt
    findings.attributes = grant.attributes
    var talk = DialectTalk(context, values, grant.proof.cookies)
    talk.findings = findings
    for site in sites[step...] { try await run(site, &talk) }
    return try self.grant(talk, .signIn)
  }

  /// Ends what the server has given to a sign-in that comes to nothing, as far as it goes.
  private func giveBack(_ talk: DialectTalk) async {
    let proof = self.proof(talk.findings, talk.values, talk.jar, over: nil)
    let session = Session(
      kind: kind, server: server, version: ProofVersion(), grant: SessionGrant(user: .unknown, proof: proof),
      issuedAt: talk.context.clock.now)
    try? await end(session, in: talk.context)
  }
}
