internal import Foundation
internal import OstiaryCore

/// Refresh tokens.
extension ProviderState {
  mutating func renew(
    _ form: ProviderForm, _ client: ProviderClient, _ thumbprint: String?, _ now: Date
  ) throws(ProviderRefusal) -> [String: JSONValue] {
    let refusal = ProviderRefusal("invalid_grant", "The refresh token is not known, or its sign-in is over.")
    guard let token = form["refresh_token"], let issued = refreshTokens[token], !issued.isOver,
      let grant = grants[issued.grant], grant.client == client.id
    else { throw refusal }
    guard grant.thumbprint.map({ $0 == thumbprint }) ?? true || isWrong(.bearerInAnswerToProof) else {
      throw ProviderRefusal("invalid_grant", "The refresh token is bound to another key (RFC 9449 §5).")
    }
    let rotation = isWrong(.changesRefreshTokenOnlyOnUse) ? RefreshRotation.onFirstUse : settings.rotation
    if let usedAt = issued.usedAt, let answer = issued.successor {
      switch rotation {
      case .none, .onFirstUse: break
      case .grace(let time) where now.timeIntervalSince(usedAt) <= time.seconds: break
      case .repeatsSuccessor where !isUsed(answer):
        counts.repeatedRenewals += 1
        return try again(answer, token, grant, form, thumbprint, now)
      case .strict, .grace, .repeatsSuccessor:
        counts.reusedRefreshTokens += 1
        end(grant.id)
        throw refusal
      }
    }
    let answer = try issue(grant, form, thumbprint, now, refresh: rotation != .none, isRenewal: true)
    counts.renewals += 1
    if rotation == .onFirstUse, let access = answer["access_token"]?.string { accessTokens[access]?.ends = token }
    if rotation != .none {
      refreshTokens[token]?.usedAt = issued.usedAt ?? now
      refreshTokens[token]?.successor = issued.successor ?? answer
    }
    return answer
  }

  /// Whether a token of an answer was used.
  private func isUsed(_ answer: [String: JSONValue]) -> Bool {
    let access = answer["access_token"]?.string.flatMap { accessTokens[$0] }
    let refresh = answer["refresh_token"]?.string.flatMap { refreshTokens[$0] }
    return access?.isUsed == true || refresh?.usedAt != nil
  }

  /// The same answer; where its access token has ended meanwhile, with another one.
  private mutating func again(
    _ answer: [String: JSONValue], _ token: String, _ grant: ProviderGrant, _ form: ProviderForm,
    _ thumbprint: String?, _ now: Date
  ) throws(ProviderRefusal) -> [String: JSONValue] {
    var answer = answer
    if let access = answer["access_token"]?.string.flatMap({ good($0, now) }), access.thumbprint == thumbprint {
      answer["expires_in"] = access.endsAt.map { .integer(Int64($0.timeIntervalSince(now))) }
      return answer
    }
    let newer = try issue(grant, form, thumbprint, now, refresh: false, isRenewal: true)
    answer.merge(newer) { _, newer in newer }
    refreshTokens[token]?.successor = answer
    return answer
  }

  /// Notes that an access token was used: its refresh token's predecessor has done its part.
  mutating func noteUse(_ access: String) {
    accessTokens[access]?.isUsed = true
    if let ended = accessTokens[access]?.ends { refreshTokens[ended]?.isOver = true }
  }
}
