internal import Foundation
internal import OstiaryCore
internal import OstiaryJOSE

/// What it takes to finish an authorization request that was begun elsewhere.
struct BegunAuthorization: Sendable {
  let redirectURI: URL
  let state: Secret
  let pkce: PKCE
  let expectation: IDTokenExpectation?
  /// What is kept of the key that the code is tied to.
  let proofKey: Secret?
  /// Until when it may be finished.
  let end: Date

  init(_ request: AuthorizationRequest, until end: Date) {
    redirectURI = request.redirectURI
    state = request.state
    pkce = request.pkce
    expectation = request.expectation
    proofKey = request.proofKey
    self.end = end
  }

  /// Reads what ``data`` has made; `nil` for anything else.
  init?(_ data: Data) {
    guard let members = try? StrictJSON.object([UInt8](data)),
      let redirectURI = members["redirect_uri"]?.string.flatMap({ URL(string: $0) }),
      let state = members["state"]?.word, let verifier = members["code_verifier"]?.string,
      let pkce = try? PKCE(verifier: Secret(verifier)), let end = members["end"]?.double
    else { return nil }
    self.redirectURI = redirectURI
    self.state = Secret(state)
    self.pkce = pkce
    expectation = members["id_token"]?.object.map { IDTokenExpectation(members: $0) }
    proofKey = members["dpop_key"]?.word.map { Secret($0) }
    self.end = Date(timeIntervalSince1970: end)
  }

  var data: Data {
    var members: [String: JSONValue] = [
      "redirect_uri": .string(redirectURI.absoluteString), "state": .string(state.reveal()),
      "code_verifier": .string(pkce.verifier.reveal()), "end": .number(end.timeIntervalSince1970),
    ]
    members["id_token"] = expectation.map { .object($0.members) }
    members["dpop_key"] = proofKey.map { .string($0.reveal()) }
    return Data(CompactJSON.object(members) ?? [])
  }
}
