public import Logging
public import OstiaryCore

/// One user's session with a Salesforce org, however many parts of an app use it: it calls the org's interfaces, asks
/// the server about the user, and registers the device for push notifications.
///
/// Everything goes through one session manager, so that a refresh token that is good once is used once.
public final class SalesforceConnection: Sendable {
  private struct State {
    var verification: SharedWork<Session>?
    var areValid = false
    /// How many services use it.
    var uses = 0
  }

  /// Owns the session.
  public let manager: SessionManager
  /// Registers the device with the org.
  public let push: SalesforcePush

  private let caller: SalesforceCaller
  /// What is good now, kept where reading it costs next to nothing.
  private let presentToken = Locked<Secret?>(nil)
  private let handedOver: SalesforceTokens?
  private let state = Locked(State())
  /// Orders what services and drop-in modules do about push notifications.
  private let pushEntry = CallEntry()

  /// A session from tokens that were obtained elsewhere. Nothing is sent until it is needed; the server is asked about
  /// the tokens before they are used.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput` when the tokens' addresses name no server that can be asked.
  public convenience init(
    _ tokens: SalesforceTokens, transport: any Transport, configuration: SessionConfiguration = SessionConfiguration(),
    apiVersion: String = SalesforcePush.apiVersion, clock: any SessionClock = .system,
    logger: Logger = Logger(label: "ostiary.salesforce")
  ) throws {
    let manager = SessionManager(
      authenticator: try SalesforceAuthenticator(tokens), transport: transport, credentials: .manual,
      key: SessionKey("salesforce handed-over"), configuration: configuration, clock: clock, logger: logger)
    self.init(manager, handedOver: tokens, apiVersion: apiVersion, clock: clock)
  }

  /// A session that a manager with a ``SalesforceAuthenticator`` owns.
  /// - Parameters:
  ///   - apiVersion: the version of the org's interface with which devices are registered.
  ///   - clock: measures deadlines.
  public convenience init(
    _ manager: SessionManager, apiVersion: String = SalesforcePush.apiVersion, clock: any SessionClock = .system
  ) {
    self.init(manager, handedOver: nil, apiVersion: apiVersion, clock: clock)
  }

  /// - Parameter remember: writes down what happens to the org's records of this device.
  init(
    _ manager: SessionManager, handedOver: SalesforceTokens?, apiVersion: String, clock: any SessionClock,
    remember: @escaping @Sendable (DeviceRecords.Change) async -> Void = { _ in }
  ) {
    self.manager = manager
    self.handedOver = handedOver
    let caller = SalesforceCaller(manager: manager, handedOver: handedOver)
    self.caller = caller
    push = SalesforcePush(apiVersion: apiVersion, clock: clock, remember: remember) { try await caller.send($0) }
    // Looked up anew at every event: whichever is the last to be heard of, what it finds is how things are.
    let look = { @Sendable [presentToken, weak manager] in
      let token = manager?.current?.proof.tokens[SalesforceTokens.Name.accessToken]
      presentToken.withLock { $0 = token }
    }
    manager.onEvent { _ in look() }
    look()
  }

  // MARK: Looking

  /// The tokens as they are now, or as they were handed over while the server has not been asked; `nil` when the session
  /// is over.
  public var tokens: SalesforceTokens? {
    if let session = manager.current { return SalesforceTokens(session) }
    if case .signedOut = manager.status { return nil }
    return handedOver
  }

  /// The access token that is good as far as is known here; `nil` when there is none, also before the server has been
  /// asked about one that was handed over. Reading it takes some ten nanoseconds and sends nothing.
  public var accessToken: Secret? { presentToken.withLock { $0 } }

  /// Whether the server is being asked about the user.
  public var isVerifying: Bool { state.withLock { $0.verification != nil } }
  /// Whether the server has accepted the tokens, and has not refused them since.
  public var areSettingsValid: Bool { state.withLock { $0.areValid } && manager.current != nil }
  /// The name that the user signs in with, once the server has said it or the user has signed in with it.
  public var username: String? { manager.current?.salesforceUsername }
  /// What the server has said of the user, once it has been asked (``verify()``).
  public var identityDocument: SalesforceIdentityDocument? { manager.current?.salesforceIdentityDocument }
  /// Who the user is, as far as is known.
  public var identity: SalesforceUserIdentity? {
    manager.current.flatMap { SalesforceUserIdentity($0.user) } ?? handedOver?.identity
  }

  /// The access tokens that were handed over and used last, for telling whether an app hands over the same again.
  var usedTokens: [Secret] { [handedOver?.accessToken, caller.lastAccessToken].compactMap { $0 } }

  /// Notes that a service uses it.
  func beginUse() { state.withLock { $0.uses += 1 } }

  /// Begins something about push notifications: what is begun first acts first, so that a registration can't come after what
  /// follows the end of its user's use.
  package func beginPush(
    _ work: @escaping @Sendable (SalesforcePush) async throws -> Void
  ) -> CapturedCall<Void> {
    pushEntry.capture { [push] in try await work(push) }
  }

  /// Whether a service uses it.
  var isUsed: Bool { state.withLock { $0.uses > 0 } }

  /// Notes that a service uses it no longer. Returns whether none does.
  func endUse() -> Bool {
    state.withLock { state in
      state.uses -= 1
      return state.uses <= 0
    }
  }

  /// A session that is good now: the one that there is, a renewed one, or one from the tokens that were handed over.
  func session() async throws -> Session { try await caller.session() }

  // MARK: Asking the server

  /// Asks the server whether the tokens are good, and renews them if they are not and there is a way. Callers that come
  /// while it is being asked get the same answer.
  /// - Returns: the session.
  /// - Throws: ``/OstiaryCore/OstiaryError``: `salesforceSessionInvalid`, `salesforceRequestRefused`,
  ///   `salesforceResourceNotFound` as the server's word; otherwise what prevented asking, and then nothing has changed.
  @discardableResult
  public func verify() async throws -> Session {
    let work = state.withLock { state in
      if let work = state.verification { return work }
      let work = SharedWork<Session>()
      state.verification = work
      work.launch { [self] in
        let result: Result<Session, any Error>
        do { result = .success(try await askServer()) } catch { result = .failure(error) }
        self.state.withLock { state in
          state.verification = nil
          switch result {
          case .success: state.areValid = true
          case .failure(let error as OstiaryError) where error.code == .salesforceSessionInvalid:
            state.areValid = false
          // It is not the server's word about the tokens.
          case .failure: break
          }
        }
        return try result.get()
      }
      return work
    }
    return try await work.value()
  }

  private func askServer() async throws -> Session {
    do {
      guard manager.current != nil else { return try await caller.session() }
      if case .unknown(let error) = await manager.verify() { throw error }
      return try await caller.session()
    } catch let error as OstiaryError where error.code == .interactionRequired {
      throw OstiaryError.salesforceSessionInvalid(error.message, underlying: error)
    }
  }

  /// Sends a call in the user's name: with a session that is good now, once more with a renewed one when the server says
  /// that it is over, and to the org's new instance when it has moved.
  /// - Throws: ``/OstiaryCore/OstiaryError``; `interactionRequired` when the session is over for good. Statuses other
  ///   than those about the session are answers, not errors.
  public func send(_ call: SalesforceCall) async throws -> TransportResponse { try await caller.send(call) }
}

extension SalesforceConnection: CustomStringConvertible, CustomReflectable {
  /// Whose session it is.
  public var description: String { "SalesforceConnection(\(identity?.name ?? "user unknown"))" }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .class) }
}

extension SalesforceConnection {
  /// The way for requests with whole addresses: the session's proof is added, renewed and sent again with as for
  /// ``send(_:)``, and answers may be streamed. A request to a server that doesn't take the session is refused.
  public var transport: any Transport { SalesforceTransport(manager) }
}
