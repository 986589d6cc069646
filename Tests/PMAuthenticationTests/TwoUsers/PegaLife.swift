import Foundation
import HTTPTypes
import Ostiary
import OstiaryPega
import OstiaryTesting
import PMAuthentication
import TestSupport

/// An app with the drop-in modules for Pega, two users, and the cookies that all share, in an order that a seed decides.
///
/// Used by the thread of the life alone.
final class PegaLife: SimulatedLife, @unchecked Sendable {
  /// What a call is about, by what the app could see when it made the call.
  enum Moment: Hashable, Sendable {
    case logIn(String)
    case logOff
    case isLoggedIn
    /// An action with the shared cookies of this user, or of none.
    case action(String?)
  }

  private let simulation: Simulation
  private let stub: PegaStub
  private let network: SimulatedNetwork
  private let store: SimulatedStore
  private let storage = LifeCookies()
  private let environment: PegaEnvironment
  private let authenticator: PMPegaAuthenticator
  private let inbox = CompletionInbox()
  private let log: CallLog<Moment>
  /// Whose session each cookie began as.
  private var owners: [String: String] = [:]
  /// The users whose shared cookies there were since each call was made.
  private var seen: [Int: Set<String?>] = [:]
  private var hasOwnSignIns = false
  private var isDone = false

  private static let users = ["jdoe": "secret", "bob": "hunter2"]
  private static let proof: Set<String> = ["Pega-RULES", "PegaRULES"]

  var judged: Int { log.judged }

  init(seed: UInt64, capture: TaskCapture) {
    let simulation = Simulation(seed: seed, capture: capture)
    self.simulation = simulation
    stub = PegaStub(clock: simulation)
    store = SimulatedStore(simulation, "store")
    log = CallLog(simulation)
    let answering = Locked<PegaLife?>(nil)
    network = SimulatedNetwork(simulation) { request in
      guard let life = answering.withLock({ $0 }) else { return .status(.notFound) }
      return life.answer(request)
    }
    network.chooseWeather()
    environment = PegaEnvironment(
      transport: network, store: store, cookies: storage, configuration: .vendor, clock: simulation)
    authenticator = PMPegaAuthenticator(serverURL: stub.url, environment: environment)
    authenticator.completionQueue = inbox.queue
    answering.withLock { $0 = self }
    simulation.afterStep = { [unowned self] in
      inbox.settle()
      // A session that is over at the server is worth nothing.
      let user = shared.contains { stub.lives($0.value.reveal()) } ? sharedUser : nil
      for (number, call) in log.calls.enumerated() where call.outcomes == 0 { seen[number, default: []].insert(user) }
    }
    leave = { answering.withLock { $0 = nil } }
  }

  private var leave: () -> Void = {}

  /// The user whose session the shared cookies are.
  private var sharedUser: String? { shared.first.flatMap { owners[$0.value.reveal()] } }

  private var shared: [Cookie] { storage.all.filter { Self.proof.contains($0.name) } }

  // MARK: The server

  private func answer(_ request: TransportRequest) -> TransportResponse {
    let owner = stub.cookie(of: request).flatMap { owners[$0] }
    simulation.note("  with \(owner ?? "no")'s cookie")
    if let path = request.head.path, let range = path.range(of: "call=") {
      let number = Int(path[range.upperBound...].prefix { $0.isNumber })
      if case .action(let user)? = log.judge(number, "an action"), user != owner {
        log.violate("the action \(number ?? -1) of \(user ?? "nobody") went with \(owner ?? "no")'s cookie")
      }
    }
    let response = stub.respond(to: request)
    for field in response.head.headerFields[values: .setCookie] where field.hasPrefix("Pega-RULES=") {
      let cookie = String(field.dropFirst("Pega-RULES=".count).prefix { $0 != ";" })
      if let user = stub.user(ofCookie: cookie) { owners[cookie] = user }
    }
    return response
  }

  // MARK: What the app does

  private func begin(_ moment: Moment, _ what: String) -> Int {
    let number = log.begin(moment, what)
    seen[number] = [sharedUser]
    return number
  }

  private func logIn() {
    let user = simulation.one(of: Self.users.keys.sorted())
    let number = begin(.logIn(user), "log-in")
    let ended = inbox.telling { [self] (name: String?) in
      if let name, name != user { log.violate("call \(number) logged \(name) in, not \(user)") }
      log.end(number, name ?? "failed")
    }
    authenticator.logIn(withUsername: user, password: Self.users[user]) { json, _ in
      ended(json.map { $0["operator"] as? String ?? "nobody" })
    }
  }

  private func isLoggedIn() {
    let number = begin(.isLoggedIn, "is logged in")
    let ended = inbox.telling { [self] (name: String?) in
      // A log-in that was cancelled on its way may have left a session and no shared cookies.
      if let name, let seen = seen[number], !seen.contains(name), !seen.contains(nil) {
        log.violate("call \(number) says that \(name) is logged in; the shared cookies were \(seen)'s")
      }
      log.end(number, name ?? "no")
    }
    authenticator.isLoggedIn { isLoggedIn, json, _ in
      ended(isLoggedIn ? json?["operator"] as? String ?? "nobody" : nil)
    }
  }

  private func logOff() {
    let number = begin(.logOff, "log-off")
    let ended = inbox.telling { [self] (outcome: String) in log.end(number, outcome) }
    authenticator.logOff { ended($0.map { "\($0)" } ?? "done") }
  }

  /// A request of the app's own, or a page in a web view, begins a session, and its cookies are shared.
  private func signInElsewhere() {
    let user = simulation.one(of: Self.users.keys.sorted())
    guard let session = try? BasicCredentials.authorization(username: user, password: Secret(Self.users[user] ?? "")),
      let url = URL(string: "\(stub.url)/PRServlet?pyActivity=pzMobileAppConfiguration"),
      var request = try? TransportRequest.get(url)
    else { return }
    simulation.note("  \(user) signs in elsewhere")
    hasOwnSignIns = true
    request.head.headerFields[.authorization] = session.reveal()
    let response = answer(request)
    for field in response.head.headerFields[values: .setCookie] where field.hasPrefix("Pega-RULES=") {
      let value = String(field.dropFirst("Pega-RULES=".count).prefix { $0 != ";" })
      let cookie = try? Cookie(
        name: "Pega-RULES", value: Secret(value), domain: stub.url.host() ?? "", path: "/prweb",
        createdAt: simulation.now)
      if let cookie { storage.set([cookie], ofHost: cookie.domain) }
    }
  }

  /// By the kind: the drop-in module's own view begins its actions on the main queue.
  private func performAction() {
    guard let address = try? PegaAddress(stub.url, configuration: environment.configuration) else { return }
    let number = Locked<Int?>(nil)
    let task = CapturedCall(.success(environment)).start { [self] in
      let call = begin(.action(sharedUser), "action")
      number.withLock { $0 = call }
      let action = SnapStartAction(
        .createCase(flowType: "pyStartCase", insClass: "Work-"), properties: [.init("call", "\(call)")])
      _ = try await $0.load(action, at: address, timeout: .seconds(20))
    } completion: { [self] outcome in
      if let number = number.withLock({ $0 }) { log.end(number, "\(outcome)") }
    }
    if simulation.chance(0.1) { task.cancel() }
  }

  private func act() {
    switch simulation.number(0...14) {
    case 0...3: logIn()
    case 4...6: isLoggedIn()
    case 7, 8: logOff()
    case 9...11: performAction()
    case 12: if simulation.chance(0.5) { stub.dropSessions() }
    case 13: authenticator.loginActivity = simulation.one(of: PMPegaAuthenticationLoginActivity.allCases)
    default: signInElsewhere()
    }
  }

  // MARK: Living

  func run() -> [String] {
    simulation.startApp(of: simulation.number(6...20), act: act) { [self] in isDone = true }
    let isStormy = network.weather.lost + network.weather.foreign > 0
    finish("the life")
    network.weather = SimulatedNetwork.Weather()
    simulation.note("all is well again")
    logOff()
    finish("the last log-off")
    isLoggedIn()
    finish("the last question")
    log.judgeOutcomes()
    if !shared.isEmpty { log.violate("\(shared.count) cookies are shared after the log-off") }
    if !store.keys.isEmpty { log.violate("stored after the log-off: \(store.keys)") }
    if !isStormy, !hasOwnSignIns, stub.sessionCount > 0 { log.violate("a session lives after the log-off") }
    simulation.dissolve()
    leave()
    return log.violations
  }

  private func finish(_ what: String) {
    if !simulation.live(until: { [self] in isDone && log.areEnded }) { log.violate("\(what) is stuck") }
    _ = simulation.live(horizon: 60)
  }
}

/// The cookies that the app and the SDK share.
///
/// Used by the thread of the life alone.
private final class LifeCookies: PegaCookieStorage, @unchecked Sendable {
  private(set) var all: [Cookie] = []

  func cookies(ofHost host: String, now: Date) -> [Cookie] { all.filter { $0.domain == host } }

  func set(_ cookies: [Cookie], ofHost host: String) {
    delete(cookies)
    all += cookies
  }

  func delete(_ cookies: [Cookie]) {
    all.removeAll { old in cookies.contains { $0.name == old.name && $0.path == old.path } }
  }

  func deleteCookies(ofHost host: String, where isDeleted: (_ name: String, _ path: String) -> Bool) {
    all.removeAll { $0.domain == host && isDeleted($0.name, $0.path) }
  }
}
