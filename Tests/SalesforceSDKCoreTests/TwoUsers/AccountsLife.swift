import Foundation
import OstiaryCore
import OstiaryOAuth
import OstiarySalesforce
import OstiaryTesting
import SalesforceSDKCore
import TestSupport

/// A manager of accounts with two users, in an order that a seed decides. Every request, and every sign-out, is judged by the
/// moment at which its call was made.
///
/// Used by the thread of the life alone.
final class AccountsLife: SimulatedLife, @unchecked Sendable {
  typealias User = TwoUsersOrg.User

  /// Whom a call is about, by what the app could see when it made the call.
  enum Moment: Hashable, Sendable {
    case user(User)
    /// Who signs in, and where.
    case signIn(User, host: String)
  }

  /// A call that signs users out, and who they may be.
  private struct Order {
    let id: Int
    let users: Set<User>
    /// The account, where the call is about one alone and not about the same user's next sign-in.
    let account: SalesforceAccount?

    func isAbout(_ account: SalesforceAccount, of user: User) -> Bool {
      users.contains(user) && (self.account == nil || self.account === account)
    }
  }

  private let simulation: Simulation
  private let org: TwoUsersOrg
  private let store: SimulatedStore
  private let manager: SFUserAccountManager
  private let log: CallLog<Moment>

  /// The end of one user's sign-out, and which of the calls that were under way may have asked for it.
  private struct Ending {
    let user: User
    let orders: [Int]
  }

  private struct Answer: Hashable {
    let order: Int
    let user: User
  }

  private var orders: [Order] = []
  private var endings: [Ending] = []
  /// Which ending counts as the answer to which call: each to one.
  private var answers: [Answer: Int] = [:]
  private var lastOrder = 0
  /// The targets of changes of the current user that are under way.
  private var switches: [(id: Int, target: User?, isEffective: Bool)] = []
  private var lastSwitch = 0
  /// Who has been signed out, and not signed in since.
  private var signedOut: Set<User> = []
  /// Who has a record at the org of which no answer has told.
  private var excused: Set<User> = []
  /// Whether the app knows that the stored accounts have been read.
  private var isLoaded = false
  private var isDone = false

  var judged: Int { log.judged }
  private var accounts: SalesforceAccounts { manager.accounts }

  init(seed: UInt64, capture: TaskCapture) {
    let simulation = Simulation(seed: seed, capture: capture)
    self.simulation = simulation
    let org = TwoUsersOrg(simulation)
    let store = SimulatedStore(simulation, "store")
    (self.org, self.store) = (org, store)
    log = CallLog(simulation)
    var configuration = SalesforceAccountsConfiguration()
    configuration.sessions.retry = .none
    if simulation.chance(0.4) { Self.fill(store, org, simulation, configuration) }
    var environment = SFEnvironment(
      transport: org.network, store: { store }, accounts: configuration, clock: simulation)
    // On the thread of the life: what waits for the app to be told waits for it.
    environment.deliver = { body in MainActorDelivery.deliver { body() } }
    manager = SFUserAccountManager(environment: environment)
    org.network.chooseWeather()
    org.judge = { [unowned self] number, proof, host in
      judge(number, "a case", proof)
      if let proof, host != proof.host { log.violate("\(proof)'s case at \(host)") }
    }
    org.onDevice = { [unowned self] in judgeDevice($0, $1, $2, $3) }
    org.onCode = { [unowned self] code, host in
      let number = code.split(separator: ".").last.flatMap { Int($0) }
      guard case .signIn(let user, let wanted)? = log.judge(number, "a code") else { return }
      if !code.hasPrefix("\(user).") || host != wanted { log.violate("the code \(code) at \(host), not \(wanted)") }
    }
    // The org has a record that no answer has told.
    org.onLostDevice = { [unowned self] in excused.insert($0) }
    manager.oauthClientId = "app"
    manager.loginHost = "one.login.test"
    accounts.onEvent { [unowned self] in note($0) }
    simulation.afterStep = { [unowned self] in
      for user in users where signedOut.contains(user) { log.violate("\(user) is back after the sign-out") }
    }
  }

  /// Lets another run of the app sign users in.
  private static func fill(
    _ store: SimulatedStore, _ org: TwoUsersOrg, _ simulation: Simulation,
    _ configuration: SalesforceAccountsConfiguration
  ) {
    let accounts = SalesforceAccounts(
      clientID: "app", transport: org.network, store: store, configuration: configuration, clock: simulation)
    for user in User.allCases where simulation.chance(0.8) {
      guard let tokens = SalesforceTokens(org.issue(user, refreshable: true), clientID: "app") else { continue }
      CapturedCall(.success(tokens.proof)).start {
        try await accounts.signIn(with: .proof($0))
      } completion: { _ in
      }
      _ = simulation.live()
    }
  }

  private static func user(_ account: SalesforceAccount?) -> User? {
    account.flatMap { User(rawValue: $0.identity.userID.id15) }
  }

  private var users: [User] { accounts.accounts.compactMap { Self.user($0) } }

  // MARK: Judging

  private func judge(_ number: Int?, _ what: String, _ proof: User?) {
    guard let moment = log.judge(number, what) else { return }
    if moment != proof.map(Moment.user) {
      log.violate("\(what) of \(moment) was sent as \(proof.map { "\($0)" } ?? "nobody")")
    }
  }

  private func judgeDevice(_ number: Int?, _ record: String?, _ proof: User?, _ host: String) {
    if let proof, host != proof.host { log.violate("\(proof)'s device at \(host)") }
    guard let record else { return judge(number, "a device", proof) }
    if let owner = org.devices[record], owner != proof { log.violate("\(owner)'s device is removed as another user") }
  }

  private func note(_ event: SalesforceAccountEvent) {
    simulation.note("  \(event)")
    // There is no other process: a session that no call and no word of the org has ended was ended with another sign-in.
    if case .willSignOut(let account, .unknown) = event {
      log.violate("\(account)'s session has ended, which no call was about")
    }
    guard case .willSignOut(let account, .userLogout) = event, let user = Self.user(account) else { return }
    endings.append(Ending(user: user, orders: orders.filter { $0.isAbout(account, of: user) }.map(\.id)))
    var seen: Set<Int> = []
    if !answer(endings.count - 1, &seen) { log.violate("\(user) is signed out, which no call was about") }
  }

  /// Finds the call that an ending is the answer to. Another ending may have to count as the answer to another one.
  private func answer(_ ending: Int, _ seen: inout Set<Int>) -> Bool {
    for order in endings[ending].orders where seen.insert(order).inserted {
      let answer = Answer(order: order, user: endings[ending].user)
      if let other = answers[answer], !self.answer(other, &seen) { continue }
      answers[answer] = ending
      return true
    }
    return false
  }

  // MARK: What the app does

  private func signIn(_ user: User) {
    signedOut.remove(user)
    let number = log.begin(.signIn(user, host: manager.loginHost), "sign-in")
    if simulation.chance(0.4) {
      var members = org.issue(user, refreshable: simulation.chance(0.5))
      // Tokens may say no more than where the org is.
      if simulation.chance(0.4) { members["id"] = nil }
      guard let tokens = SalesforceTokens(members, clientID: "app") else { return }
      for _ in 0..<simulation.one(of: [1, 1, 2]) {
        CapturedCall(.success((accounts, tokens.proof))).start {
          try await $0.signIn(with: .proof($1))
        } completion: { [self] outcome in
          ended(number, Self.user(try? outcome.get()), user)
        }
      }
    } else {
      let code = "\(user).\(number)"
      manager.authorizationFlow = OAuthFlow(needsPerson: true) { [simulation] client, context in
        await simulation.checkpoint("a person is asked")
        return try await client.tokens(forGrant: "authorization_code", parameters: ["code": code], in: context)
      }
      manager.login { [self] _, account in
        ended(number, Self.user(account.sessionAccount) ?? user, user)
      } failure: { [self] _, _ in
        ended(number, nil, user)
      }
    }
  }

  private func ended(_ number: Int, _ user: User?, _ wanted: User) {
    if let user, user != wanted { log.violate("call \(number) signed \(user) in, not \(wanted)") }
    if log.calls[number].outcomes == 0 { log.end(number, user.map { "\($0)" } ?? "failed") }
  }

  private func change(to target: SalesforceAccount?) {
    lastSwitch += 1
    let id = lastSwitch
    simulation.note("  switch to \(Self.user(target).map { "\($0)" } ?? "nobody")")
    // An account that is not signed in can't become the current one.
    switches.append((id, Self.user(target), target.map { $0.loginState == .loggedIn } ?? true))
    manager.switch(toUser: target.map { SFUserAccount($0) }) { [self] in switches.removeAll { $0.id == id } }
  }

  private func signOutCurrent() {
    // A switch that was begun before comes first.
    let user = switches.last { $0.isEffective }.map(\.target) ?? Self.user(accounts.current)
    let isKnown = isLoaded
    // So may a sign-in.
    let users = [user].compactMap { $0 } + User.allCases.filter(isSigningIn)
    let id = order(Set(isKnown ? users : User.allCases))
    simulation.note("  sign out the current user: \(user.map { "\($0)" } ?? "nobody")\(isKnown ? "" : "?")")
    manager.logout { [self] in close(id, signedOut: nil) }
  }

  private func signOut(_ account: SalesforceAccount) {
    guard let user = Self.user(account) else { return }
    let id = order([user], account)
    simulation.note("  sign out \(user)")
    manager.logoutUser(SFUserAccount(account)) { [self] in close(id, signedOut: user) }
  }

  private func signOutAll() {
    let id = order(Set(User.allCases))
    simulation.note("  sign out all")
    manager.logoutAllUsers { [self] in close(id, signedOut: nil) }
  }

  private func order(_ users: Set<User>, _ account: SalesforceAccount? = nil) -> Int {
    lastOrder += 1
    orders.append(Order(id: lastOrder, users: users, account: account))
    return lastOrder
  }

  private func close(_ id: Int, signedOut user: User?) {
    orders.removeAll { $0.id == id }
    guard let user, !isSigningIn(user), !users.contains(user) else { return }
    signedOut.insert(user)
  }

  private func isSigningIn(_ user: User) -> Bool {
    log.calls.contains { call in
      if case .signIn(user, _) = call.moment { call.outcomes == 0 } else { false }
    }
  }

  private func call(_ account: SalesforceAccount) {
    guard let user = Self.user(account) else { return }
    let number = log.begin(.user(user), "a case")
    guard let call = try? SalesforceCall.post(TwoUsersOrg.cases, json: .object(["call": .string("\(number)")])) else {
      return
    }
    let task = CapturedCall(.success(account)).start {
      "\(try await $0.send(call).status)"
    } completion: { [self] outcome in
      log.end(number, "\(outcome)")
    }
    log.canCancel(number) { task.cancel() }
  }

  private func register(_ account: SalesforceAccount) {
    guard let user = Self.user(account) else { return }
    let number = log.begin(.user(user), "a device")
    let token = withUnsafeBytes(of: UInt32(number).bigEndian) { Data($0) }
    account.connection.beginPush {
      try await $0.register(SalesforcePush.Device(token: token, bundle: "app"))
    }
    .start { _ in
    } completion: { [self] outcome in
      log.end(number, "\(outcome)")
    }
  }

  private func load() {
    CapturedCall(.success(manager)).start {
      try await $0.loadAccounts()
    } completion: { [self] outcome in
      if case .success = outcome { isLoaded = true }
    }
  }

  private func act() {
    let current = manager.currentUser?.sessionAccount
    let one = accounts.accounts.isEmpty ? nil : simulation.one(of: accounts.accounts)
    switch simulation.number(0...21) {
    case 0...5: if let current { call(current) }
    case 6...9: signIn(simulation.one(of: User.allCases))
    case 10, 11: if let one { change(to: one) }
    case 12: change(to: nil)
    case 13, 14: signOutCurrent()
    case 15: if let one { signOut(one) }
    case 16: if let one { register(one) }
    case 17: load()
    case 18: log.cancelOne()
    case 19: manager.loginHost = simulation.one(of: ["one.login.test", "two.login.test"])
    case 20: if simulation.chance(0.3) { manager.stopCurrentAuthentication() } else if let one { register(one) }
    default:
      if simulation.chance(0.4) {
        org.drop(simulation.one(of: User.allCases), refreshTokensToo: simulation.chance(0.5))
      } else {
        signOutAll()
      }
    }
  }

  // MARK: Living

  func run() -> [String] {
    let actions = simulation.number(8...25)
    if simulation.chance(0.7) { load() }
    CapturedCall(.success(())).start { [self] in
      for _ in 0..<actions {
        act()
        // Several lines of an app may follow each other before anything else happens.
        if simulation.chance(0.6) { await simulation.checkpoint("app") }
      }
    } completion: { [self] _ in
      isDone = true
    }
    finish("the life")
    org.network.weather = SimulatedNetwork.Weather()
    simulation.note("all is well again")
    judgeSignedIn()
    // What is read now brings no account back.
    signOutAll()
    if simulation.chance(0.5) { load() }
    finish("the last sign-out")
    _ = simulation.live()
    log.judgeOutcomes()
    judgeRest()
    simulation.dissolve()
    return log.violations
  }

  private func finish(_ what: String) {
    let isOver = simulation.live { [self] in isDone && orders.isEmpty && switches.isEmpty && log.areEnded }
    if !isOver { log.violate("\(what) is stuck") }
    _ = simulation.live(horizon: 60)
  }

  /// Every account that is shown has a session, here and in the store.
  private func judgeSignedIn() {
    for account in accounts.accounts {
      if case .signedOut = account.connection.manager.status {
        log.violate("\(account) is signed in without a session")
      }
      let name = "salesforce-account \(account.identity.name)"
      if !store.keys.contains(where: { $0.name == name }) { log.violate("\(account) is signed in and not stored") }
    }
  }

  private func judgeRest() {
    if !users.isEmpty || accounts.current != nil { log.violate("\(users) are signed in after the sign-out") }
    let owed = accounts.owedRegistrations.values.flatMap { $0 }
    let keys = store.keys.filter { $0.name != "salesforce-devices" || owed.isEmpty }
    if !keys.isEmpty { log.violate("stored after the sign-out: \(keys)") }
    let left = org.devices.filter { !owed.contains($0.key) && !excused.contains($0.value) }
    if !left.isEmpty { log.violate("registered after the sign-out, and not owed: \(left)") }
  }
}
