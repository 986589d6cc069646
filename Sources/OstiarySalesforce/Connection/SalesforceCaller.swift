internal import OstiaryCore

/// Sends calls with the session of a manager, which begins with the tokens that were handed over, if any were.
final class SalesforceCaller: Sendable {
  private let manager: SessionManager
  private let handedOver: SalesforceTokens?
  private let transport: SalesforceTransport
  private let known = Locked<Address?>(nil)
  private let beginning = Locked<SharedWork<Session>?>(nil)

  init(manager: SessionManager, handedOver: SalesforceTokens?) {
    self.manager = manager
    self.handedOver = handedOver
    transport = SalesforceTransport(manager)
  }

  /// A session that is good now.
  func session() async throws -> Session {
    guard let handedOver, manager.current == nil, case .signedOut(.neverSignedIn) = await manager.restore() else {
      return try await manager.session()
    }
    // Asked once for all who wait, also when the answer is no.
    let work = beginning.withLock { beginning in
      if let beginning { return beginning }
      let work = SharedWork<Session>()
      beginning = work
      work.launch { [self] in
        defer { self.beginning.withLock { $0 = nil } }
        do {
          return try await manager.signIn(with: .proof(handedOver.proof))
        } catch let error as OstiaryError where error.code == .alreadySignedIn {
          return try await manager.session()
        }
      }
      return work
    }
    return try await work.value()
  }

  /// The access token that was used last, also when its session is over.
  var lastAccessToken: Secret? { known.withLock { $0?.accessToken } }

  func send(_ call: SalesforceCall) async throws -> TransportResponse {
    try await transport.send(call.request(at: try address(try await session()).base))
  }

  /// Where a session's org is. Found out once for each session, because that takes longer than all else here.
  private func address(_ session: Session) throws -> Address {
    if let address = known.withLock({ $0 }), address.isOf(session) { return address }
    guard let address = Address(session) else { throw OstiaryError.salesforceSettingsUnusable() }
    known.withLock { $0 = address }
    return address
  }

  private struct Address: Sendable {
    let accessToken: Secret
    let base: SalesforceCall.Base
    private let version: ProofVersion
    private let names: [JSONValue?]

    init?(_ session: Session) {
      guard let tokens = SalesforceTokens(session), let base = SalesforceCall.Base(tokens.apiURL) else { return nil }
      accessToken = tokens.accessToken
      self.base = base
      version = session.version
      names = Self.names(session)
    }

    func isOf(_ session: Session) -> Bool { version == session.version && names == Self.names(session) }

    /// What may change while the proof stays.
    private static func names(_ session: Session) -> [JSONValue?] {
      [SalesforceTokens.Name.instanceURL, SalesforceTokens.Name.communityURL].map { session.attributes[$0] }
    }
  }
}
