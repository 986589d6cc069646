internal import Foundation
internal import HTTPTypes
internal import OstiaryCore
internal import OstiaryJOSE

/// An API that takes the provider's tokens.
extension ProviderState {
  /// Executes a request whose token is good.
  mutating func use(
    _ request: ProviderRequest, _ resource: String, _ now: Date
  ) throws(ProviderRefusal) -> TransportResponse {
    let (access, grant) = try presented(request, .resource, resource, now)
    if let demand = settings.demand, !meets(demand, grant, now) {
      counts.demandedStepUps += 1
      throw stepUp(demand, resource)
    }
    noteUse(access)
    counts.executed += 1
    var answer: [String: JSONValue] = [
      "address": .string(request.address), "client": .string(grant.client),
      "user": .string(grant.user?.id ?? grant.client),
    ]
    answer["actor"] = accessTokens[access]?.actor.map(JSONValue.string)
    return .json(answer)
  }

  /// The good access token that a request presents, bound to the key that it is bound to (RFC 6750 §2.1, RFC 9449 §7).
  mutating func presented(
    _ request: ProviderRequest, _ endpoint: ProviderEndpoint, _ resource: String?, _ now: Date
  ) throws(ProviderRefusal) -> (access: String, grant: ProviderGrant) {
    let about = resourceParameters(resource)
    let bound = request.authorization("dpop")
    guard let access = bound ?? request.authorization("bearer") else {
      throw .ofAccess("", "", about)
    }
    let scheme = bound == nil ? "Bearer" : "DPoP"
    func refusal(_ words: String) -> ProviderRefusal {
      .ofAccess("invalid_token", words, schemes: [scheme], about)
    }
    guard let issued = good(access, now), let grant = grants[issued.grant] else {
      throw refusal("The token is not known, has expired, or was revoked.")
    }
    if let resource, !issued.resources.isEmpty, !issued.resources.contains(resource) {
      throw refusal("The token is for another API.")
    }
    guard let thumbprint = issued.thumbprint else {
      guard bound == nil else { throw refusal("The token is bound to no key.") }
      return (access, grant)
    }
    // A token that was taken is of no use under another scheme (RFC 9449 §7.2).
    guard bound != nil else { throw refusal("The token is bound to a key.") }
    guard let proof = try proof(request, endpoint, resource, access: access, at: now) else {
      throw Self.badProof("A proof is needed.", endpoint)
    }
    guard proof.thumbprint == thumbprint else { throw refusal("The token is bound to another key.") }
    return (access, grant)
  }

  private func resourceParameters(_ resource: String?) -> [(String, String)] {
    guard settings.namesResourceMetadata, let resource else { return [] }
    return [("resource_metadata", addresses.metadata(ofResource: resource))]
  }

  // MARK: Step-up (RFC 9470)

  private func meets(_ demand: StepUpDemand, _ grant: ProviderGrant, _ now: Date) -> Bool {
    let isStrong = demand.strengths.isEmpty || demand.strengths.contains(grant.strength)
    return isStrong && demand.maximumAge.map { now.timeIntervalSince(grant.signedInAt) <= TimeInterval($0) } ?? true
  }

  private func stepUp(_ demand: StepUpDemand, _ resource: String) -> ProviderRefusal {
    var parameters = resourceParameters(resource)
    if !demand.strengths.isEmpty { parameters.append(("acr_values", demand.strengths.joined(separator: " "))) }
    if let age = demand.maximumAge { parameters.append(("max_age", String(age))) }
    return .ofAccess(
      "insufficient_user_authentication", "The user has to sign in more strongly or more recently.", parameters)
  }
}
