internal import Foundation
internal import HTTPTypes
internal import OstiaryCore
internal import OstiaryJOSE

/// Proofs of possession and their nonces (RFC 9449).
extension ProviderState {
  /// The proof that a request has, if it has one.
  /// - Parameters:
  ///   - resource: the API, where the request is to one.
  ///   - access: the access token that the request presents.
  mutating func proof(
    _ request: ProviderRequest, _ endpoint: ProviderEndpoint, _ resource: String? = nil, access: String? = nil,
    at now: Date
  ) throws(ProviderRefusal) -> DPoPProof? {
    let fields = request.fields[values: .dpop]
    guard let text = fields.first else { return nil }
    guard fields.count == 1 else { throw Self.badProof("There is more than one proof.", endpoint) }
    let demand = DPoPProofVerifier.Request(
      method: request.method, address: request.address, accessToken: access.map { Secret($0) },
      nonces: settings.nonces == .none ? nil : Set(nonces[resource ?? ""] ?? []))
    let isRefused = isWrong(.nonceEachTime, endpoint) || isWrong(.nonceWithoutValue, endpoint)
    do throws(JOSEError) {
      let proof = try DPoPProofVerifier().verify(text, for: demand, at: now)
      if isRefused { throw JOSEError(.wrongNonce, "Another nonce is wanted.") }
      guard seen.insert("proof \(proof.thumbprint) \(proof.id)").inserted else {
        throw JOSEError(.wrongRequest, "The proof was used before.")
      }
      return proof
    } catch {
      guard error.code == .wrongNonce else { throw Self.badProof(error.message, endpoint) }
      counts.demandedNonces += 1
      throw Self.refusal("use_dpop_nonce", error.message, endpoint)
    }
  }

  static func badProof(_ words: String, _ endpoint: ProviderEndpoint) -> ProviderRefusal {
    refusal("invalid_dpop_proof", words, endpoint)
  }

  private static func refusal(_ code: String, _ words: String, _ endpoint: ProviderEndpoint) -> ProviderRefusal {
    [.resource, .userInfo].contains(endpoint)
      ? .ofAccess(code, words, schemes: ["DPoP"]) : ProviderRefusal(code, words)
  }

  /// The nonce that an answer tells, a new one where the settings say so.
  mutating func nonceToTell(_ endpoint: ProviderEndpoint, _ resource: String?) -> String? {
    let places: Set<ProviderEndpoint> = [.token, .pushedAuthorization, .deviceAuthorization, .userInfo, .resource]
    guard places.contains(endpoint), !isWrong(.nonceWithoutValue, endpoint) else { return nil }
    let place = resource ?? ""
    switch settings.nonces {
    case .none: return isWrong(.nonceEachTime, endpoint) ? name("nonce") : nil
    case .fixed:
      let nonce = nonces[place]?.first ?? name("nonce")
      nonces[place] = [nonce]
      return nonce
    case .eachAnswer:
      let nonce = name("nonce")
      nonces[place] = Array((nonces[place] ?? []).suffix(999)) + [nonce]
      return nonce
    case .onlyNewest:
      let nonce = name("nonce")
      nonces[place] = [nonce]
      return nonce
    }
  }
}
