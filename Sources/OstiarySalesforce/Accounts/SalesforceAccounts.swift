internal import Foundation
public import Logging
public import OstiaryCore
public import OstiaryOAuth

/// The users of an app who have signed in to their orgs, and which of them is the current one.
///
/// ```swift
/// let accounts = SalesforceAccounts(clientID: consumerKey, transport: PlatformTransport(), store: store)
/// try await accounts.restore()
/// if accounts.current == nil { try await accounts.signIn(with: flow) }
/// let cases = try await accounts.current?.send(.get("/services/data/v58.0/sobjects/Case"))
/// ```
///
/// Each has a session of its own: what happens to one touches no other.
public final class SalesforceAccounts: Sendable {
  struct State: Sendable {
    var accounts: [SalesforceUserIdentity: SalesforceAccount] = [:]
    var current: SalesforceAccount?
    var loginHost: SalesforceLoginHost
    /// The sign-ins that are under way, in their order: one at a time is with the server.
    var signIns: [(key: SignInKey, work: SharedWork<SalesforceAccount>)] = []
    /// Those of them whose session is being written, which it is too late to cancel: it may have taken another's place.
    var landing: Set<ObjectIdentifier> = []
    /// Whether the accounts that rest in the store are known.
    var isRead = false
    /// How many sign-outs of each user have begun, and which have not ended.
    var signOuts: [SalesforceUserIdentity: UInt64] = [:]
    var ending: Set<SalesforceUserIdentity> = []
    /// The sign-ins that the sign-outs were about.
    var signedOut: Set<UUID> = []
    /// What the server gave for tokens that were handed over, until it says whose they are: the tokens may be spent.
    var unidentified: (proof: Proof, grant: SessionGrant)?
    /// The records that orgs have of this device, by the name of the user.
    var devices: [String: DeviceRecords] = [:]
    /// What has happened to them and is not written down yet.
    var deviceChanges: [(name: String, change: DeviceRecords.Change)] = []

    /// Whether it is one of these accounts, and a user is signed in to it.
    func isSignedIn(_ account: SalesforceAccount) -> Bool {
      accounts[account.identity] === account && account.loginState == .loggedIn
    }
  }

  /// The connected app's consumer key.
  public let clientID: String
  /// The choices made.
  public let configuration: SalesforceAccountsConfiguration

  let authentication: ClientAuthentication
  let transport: any Transport
  let store: any SessionStore
  let clock: any SessionClock
  let logger: Logger
  let state: Locked<State>
  let events = EventRelay<SalesforceAnnouncement>()
  let lane = AsyncSerialQueue()
  let deviceLane = AsyncSerialQueue()
  let currentLane = AsyncSerialQueue()
  /// Calls that are about the current account begin here, in order with changes of it.
  let entry = CallEntry()
  /// Why sessions that are being ended are.
  let reasons = Locked<[SalesforceUserIdentity: SalesforceRevocationReason]>([:])

  /// Makes a manager of accounts. Nothing is read or sent.
  /// - Parameters:
  ///   - clientID: the connected app's consumer key.
  ///   - authentication: how the app says that it is itself.
  ///   - loginHost: where users sign in; see ``SalesforceLoginHost/choose(stored:managed:bundled:)``.
  ///   - transport: the way to servers.
  ///   - store: where the sessions rest, and which of them is the current one.
  public init(
    clientID: String, authentication: ClientAuthentication = .none, loginHost: SalesforceLoginHost = .production,
    transport: any Transport, store: any SessionStore = EphemeralStore(),
    configuration: SalesforceAccountsConfiguration = SalesforceAccountsConfiguration(),
    clock: any SessionClock = .system, logger: Logger = Logger(label: "ostiary.salesforce")
  ) {
    self.clientID = clientID
    self.authentication = authentication
    self.transport = transport
    self.store = store
    self.configuration = configuration
    self.clock = clock
    self.logger = logger
    state = Locked(State(loginHost: loginHost))
  }

  // MARK: Looking

  /// Who is signed in, in the order of orgs and users.
  public var accounts: [SalesforceAccount] {
    state.withLock { Array($0.accounts.values) }.sorted { $0.identity < $1.identity }
  }

  /// Who they are.
  public var identities: [SalesforceUserIdentity] { accounts.map(\.identity) }

  /// The current account; `nil` when no user is signed in, or none has been chosen.
  public var current: SalesforceAccount? { state.withLock { $0.current } }

  /// The account of a user, whichever spelling their identifiers have; `nil` when they are not signed in.
  public func account(for identity: SalesforceUserIdentity) -> SalesforceAccount? {
    state.withLock { $0.accounts[identity] }
  }

  /// The accounts of an org.
  public func accounts(inOrg orgID: SalesforceID) -> [SalesforceAccount] {
    accounts.filter { $0.identity.orgID == orgID }
  }

  /// The accounts whose org is at an instance.
  public func accounts(atInstance host: String) -> [SalesforceAccount] {
    accounts.filter { $0.tokens?.instanceURL.host()?.lowercased() == host.lowercased() }
  }

  /// Where users sign in from now on.
  public var loginHost: SalesforceLoginHost {
    get { state.withLock { $0.loginHost } }
    set {
      state.withLock { state in
        guard state.loginHost != newValue else { return }
        let event = SalesforceAccountEvent.didChangeLoginHost(from: state.loginHost, to: newValue)
        events.record(SalesforceAnnouncement(event: event, hold: nil))
        state.loginHost = newValue
      }
      events.deliver()
    }
  }

  /// Calls `observer` for every event from now on: once each, in order, on the thread on which it happened.
  /// - Returns: a function that ends it.
  @discardableResult
  public func onEvent(_ observer: @escaping @Sendable (SalesforceAccountEvent) -> Void) -> @Sendable () -> Void {
    events.observe { observer($0.event) }
  }

  // MARK: The current one

  /// Makes an account the current one, or none.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput` for an account that is not one of these or is signed out.
  nonisolated(nonsending) public func switchTo(_ account: SalesforceAccount?) async throws {
    try await beginSwitch(to: account).value
  }

  /// Begins what ``switchTo(_:)`` does, before it returns: what is called next finds the account as the current one.
  package func beginSwitch(to account: SalesforceAccount?) -> CapturedCall<Void> {
    let isSignedIn = account.map { account in state.withLock { $0.isSignedIn(account) } } ?? false
    return entry.capture { [self] in try await makeCurrent(account, wasSignedIn: isSignedIn) }
  }

  /// - Parameter wasSignedIn: Whether the account was signed in when the call was made. A sign-out that was called later may have
  ///   come first; then no account is the current one, as if it had come last.
  private func makeCurrent(_ account: SalesforceAccount?, wasSignedIn: Bool) async throws {
    try await lane.run { [self] in
      let before = try state.withLock { state throws -> SalesforceAccount? in
        if let account {
          guard wasSignedIn || state.isSignedIn(account) else {
            throw OstiaryError(
              .invalidInput, "\(account.identity) is not signed in.", advice: "Sign in first.",
              requestMayHaveExecuted: false)
          }
        }
        return state.current
      }
      guard before !== account else { return }
      await announce(.willSwitch(from: before, to: account))
      // An account that was signed out meanwhile can't be the current one.
      state.withLock { state in
        state.current = account.flatMap { $0.loginState == .loggedIn ? $0 : nil }
      }
      await rememberCurrent(after: before)
      tell(.didSwitch(from: before, to: account))
    }
  }
}

extension SalesforceAccounts: CustomStringConvertible, CustomReflectable {
  /// How many accounts there are, and which is the current one.
  public var description: String {
    "SalesforceAccounts(\(accounts.count), current \(current?.identity.name ?? "none"))"
  }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .class) }
}

/// One thing that happened to the accounts of an app.
public enum SalesforceAccountEvent: Sendable {
  /// A user is about to sign in.
  case willSignIn
  /// A user has signed in.
  case didSignIn(SalesforceAccount)
  /// The sign-in was cancelled.
  case signInCancelled
  /// A user is about to be signed out. No new call can be made in their name; their tokens go when the observers have been told.
  case willSignOut(SalesforceAccount, SalesforceRevocationReason)
  /// A user has been signed out.
  case didSignOut(SalesforceAccount, SalesforceRevocationReason)
  /// The last user of an org has been signed out.
  case orgDidSignOut(SalesforceID)
  /// An account has newer tokens.
  case didRenewTokens(SalesforceAccount)
  /// Another account is about to become the current one.
  case willSwitch(from: SalesforceAccount?, to: SalesforceAccount?)
  /// Another account is the current one.
  case didSwitch(from: SalesforceAccount?, to: SalesforceAccount?)
  /// The app has set the current account, without switching to it.
  case didSetCurrent(from: SalesforceAccount?, to: SalesforceAccount?)
  /// Users sign in elsewhere from now on.
  case didChangeLoginHost(from: SalesforceLoginHost, to: SalesforceLoginHost)
}

/// A sign-in that is under way.
package struct SalesforceSignIn: Sendable {
  private let work: SharedWork<SalesforceAccount>
  /// Whether it was not under way before.
  package let isNew: Bool

  init(_ work: SharedWork<SalesforceAccount>, isNew: Bool) {
    self.work = work
    self.isNew = isNew
  }

  /// Waits for who it is.
  /// - Throws: what kept them from signing in.
  package func wait() async throws -> SalesforceAccount { try await work.value() }
}
