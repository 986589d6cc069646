internal import Foundation
internal import HTTPTypes
internal import OstiaryCore

/// Makes a Digest for each request, takes in newer nonces, and verifies the server's own proof.
final class DigestProof: RequestProof {
  private let account: DigestAccount
  private let origin: Origin
  private let space: ProtectionSpace
  private let memory: SpaceMemory
  private let prefersIntegrity: Bool
  private let requiresServerProof: Bool

  init(
    _ account: DigestAccount, origin: Origin, space: ProtectionSpace, memory: SpaceMemory,
    configuration: HTTPAuthenticationConfiguration
  ) {
    self.account = account
    self.origin = origin
    self.space = space
    self.memory = memory
    prefersIntegrity = configuration.prefersDigestIntegrity
    requiresServerProof = configuration.requiresServerProof
  }

  func attach(to request: inout HTTPRequest, body: Data?) {
    // Without a nonce the request goes as it is, and is answered with one.
    guard space.covers(request.path), let use = space.nonces.use(), let field = field(use, request, body) else {
      return
    }
    request.headerFields[fields: .authorization] = [field]
  }

  func review(
    _ response: HTTPResponse, body: Data?, to request: TransportRequest, repetitions: Int?
  ) -> ProofReview {
    let shown = ShownDigest(request.head)
    guard response.status == .unauthorized else {
      guard let shown else { return .undecided }
      return review(AuthenticationInfo(response), of: shown, status: response.status.code, body: body)
    }
    let ours = response.authenticationChallenges.filter {
      $0.scheme == "digest" && $0.realm.map { $0.utf8.elementsEqual(account.realm.utf8) } == true
    }
    // A 401 from another realm, or without any, says nothing of this proof.
    guard !ours.isEmpty else { return .decided(.accepted) }
    let usable = ours.lazy.compactMap { try? DigestChallenge($0) }.first { $0.algorithm == account.algorithm }
    guard let challenge = usable else {
      return .decided(.rejected(reason: "the server asks for another kind of Digest", mayHaveExecuted: false))
    }
    if let shown {
      space.nonces.retire(shown.nonce)
      // Not every server says that a nonce was stale. A refusal is one when the nonce was fresh.
      let isFresh = repetitions.map { $0 > 0 } ?? (shown.count == 1)
      guard challenge.isStale || !isFresh else {
        memory.noteRefused(account.key)
        return .decided(
          .rejected(reason: "the server does not accept the user name or password", mayHaveExecuted: false))
      }
      // Stale, though the server had just given it: some know one nonce a client, and requests that are under way at once
      // take it from each other. Who comes without proof is a new client.
      if challenge.isStale, let repetitions, repetitions > 0 { return .againWithout([.authorization]) }
    }
    space.add(challenge.prefixes(at: origin))
    space.add(folderOf: request.head.path)
    guard repetitions != nil else {
      _ = space.nonces.take(challenge, isUsed: false)
      return .again([])
    }
    let isOwn = shown == nil && (repetitions ?? 0) > 0
    guard let use = space.nonces.take(challenge, isUsed: true, isPrivate: isOwn),
      let field = field(use, request.head, request.body)
    else {
      return .decided(.accepted)
    }
    return .again([field])
  }

  // MARK: The server's own proof

  private func review(
    _ info: AuthenticationInfo?, of shown: ShownDigest, status: Int, body: Data?
  ) -> ProofReview {
    let proof = serverProof(info, shown, body)
    if requiresServerProof {
      switch proof {
      case .right: break
      // Errors come from parts of a server that don't know who asks.
      case .missing where !(200..<300).contains(status): break
      case .missing, .wrong, .unverifiable: return .failed(.serverNotProven(proof))
      }
    }
    // What comes with a wrong proof is no better than the proof.
    if let next = info?.nextNonce, proof != .wrong { space.nonces.take(nextNonce: next, after: shown.nonce) }
    return .undecided
  }

  /// What `rspauth` shows (RFC 7616 §3.5).
  private func serverProof(_ info: AuthenticationInfo?, _ shown: ShownDigest, _ body: Data?) -> ServerProof {
    guard let info, let response = info.response else { return .missing }
    guard info.cnonce == nil || info.cnonce == shown.cnonce, info.count == nil || info.count == shown.count else {
      return .wrong
    }
    let protection = info.protection ?? shown.protection
    guard protection != .integrity || body != nil,
      let use = space.nonces.past(nonce: shown.nonce, count: shown.count ?? 0)
    else { return .unverifiable }
    let expected = use.response(
      key: Array(account.key.reveal().utf8), method: "", target: shown.target, protection: protection,
      body: body ?? Data())
    let given = Array(response.utf8)
    guard given.count == expected.count else { return .wrong }
    // The same time for any difference.
    return zip(given, expected).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0 ? .right : .wrong
  }

  // MARK: Making

  private func field(_ use: NonceUse, _ request: HTTPRequest, _ body: Data?) -> HTTPField? {
    let offered = use.challenge.protections
    let wantsIntegrity = offered.contains(.integrity) && (prefersIntegrity || !offered.contains(.authentication))
    let protection: DigestChallenge.Protection? =
      offered.isEmpty ? nil : wantsIntegrity ? .integrity : .authentication
    let value = account.authorization(
      use, method: request.method.rawValue, target: request.targetAsSent, protection: protection, body: body ?? Data())
    guard HTTPField.isValidValue(value) else { return nil }
    return HTTPField(name: .authorization, value: value)
  }
}

extension DigestProof: CustomStringConvertible, CustomReflectable {
  var description: String { "DigestProof(\(account.algorithm.name))" }
  var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .class) }
}
