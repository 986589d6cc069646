internal import OstiaryCore

/// Sends calls with the session of a manager, which begins with the tokens that were handed over, if any were.
final class SalesforceCaller: Sendable {
  private let manager: SessionManager
  private let handedOver: SalesforceTokens?
  private let transport: AuthenticatedTransport
  private let lastToken = Locked<Secret?>(nil)
  private let beginning = Locked<SharedWork<Session>?>(nil)

  init(manager: SessionManager, handedOver: SalesforceTokens?) {
    self.manager = manager
    self.handedOver = handedOver
    transport = AuthenticatedTransport(manager, over: InstanceTransport(manager.transport))
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
  var lastAccessToken: Secret? { lastToken.withLock { $0 } }

  func send(_ call: SalesforceCall) async throws -> TransportResponse {
    let session = try await session()
    guard let tokens = SalesforceTokens(session) else { throw OstiaryError.salesforceSettingsUnusable() }
    lastToken.withLock { $0 = tokens.accessToken }
    return try await transport.send(call.request(at: tokens.apiURL))
  }
}
