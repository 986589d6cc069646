import Foundation
import HTTPTypes
import Logging
import OstiaryCore
import OstiaryTesting
import TestSupport

/// One session manager in the hands of two users, in an order that a seed decides. Every request is judged by the moment at
/// which its call was made.
///
/// Used by the thread of the life alone.
final class ManagerLife: SimulatedLife, @unchecked Sendable {
  enum Kind: CaseIterable, Sendable { case pega, oauth }

  /// Whom a call is about, by what the app could see when it made the call.
  enum Moment: Hashable, Sendable {
    case user(String)
    /// The one who answers the question that the call waits for.
    case open
  }

  private let simulation: Simulation
  private let server: any ManagerLifeServer
  private let network: SimulatedNetwork
  private let store: SimulatedStore
  private let manager: SessionManager
  private let log: CallLog<Moment>
  /// Whose session was there at the last event that found one.
  private var last: String?
  private var others = 0
  private var isDone = false

  var judged: Int { log.judged }

  init(_ kind: Kind, seed: UInt64, capture: TaskCapture) throws {
    let simulation = Simulation(seed: seed, capture: capture)
    self.simulation = simulation
    let server: any ManagerLifeServer =
      switch kind {
      case .pega: try PegaLifeServer(simulation, form: simulation.chance(0.3))
      case .oauth: try OAuthLifeServer()
      }
    self.server = server
    let log = CallLog<Moment>(simulation)
    self.log = log
    network = SimulatedNetwork(simulation) { request in
      Self.judge(request, server, log, simulation)
      return server.answer(request)
    }
    network.chooseWeather()
    store = SimulatedStore(simulation, "store")
    var configuration = SessionConfiguration()
    configuration.retry = .none
    let asks = simulation.chance(0.5)
    let users = server.passwords.keys.sorted()
    let passwords = server.passwords
    manager = SessionManager(
      authenticator: server.authenticator, transport: network,
      credentials: asks
        ? .onRequest { [simulation] _ in
          await simulation.checkpoint("a person is asked")
          if simulation.chance(0.3) { throw OstiaryError(.interactionCancelled, "The person declined.") }
          let user = simulation.one(of: users)
          simulation.note("  the person is \(user)")
          return .password(username: user, password: Secret(passwords[user] ?? ""))
        } : .manual,
      store: store, configuration: configuration, clock: simulation,
      logger: Logger(label: "life") { _ in SwiftLogNoOpLogHandler() })
    manager.onEvent { [unowned self] event in
      simulation.note("  \(event.kind) \(event.user ?? ""): \(event.cause)")
      if let user = manager.current?.user.id { last = user }
    }
    simulation.afterStep = { [unowned self] in
      guard let session = manager.current, let user = server.user(in: session.attributes) else { return }
      if user != session.user.id { log.violate("\(session.user.id)'s session has \(user)'s attributes") }
    }
  }

  // MARK: Judging

  private static func judge(
    _ request: TransportRequest, _ server: any ManagerLifeServer, _ log: CallLog<Moment>, _ simulation: Simulation
  ) {
    let owner = server.owner(of: request)
    simulation.note("  as \(owner ?? "nobody")")
    guard let number = server.number(of: request), let moment = log.judge(number, "a request") else { return }
    guard case .user(let user) = moment else { return }
    if owner != user { log.violate("call \(number) of \(user) was sent as \(owner ?? "nobody")") }
  }

  /// Whom a call is about that is made now.
  private var moment: Moment {
    switch manager.status {
    case .signedIn(let session): .user(session.user.id)
    // A session that is being renewed is still its user's.
    case .unknown(let error) where error.code != .notRestoredYet: last.map { .user($0) } ?? .open
    default: .open
    }
  }

  // MARK: What the app does

  private func call() {
    let number = Locked<Int?>(nil)
    let task = CapturedCall(.success(())).start { [self] in
      let call = log.begin(moment, "call")
      number.withLock { $0 = call }
      try await server.call(call, through: manager, simulation)
    } completion: { [self] outcome in
      if let number = number.withLock({ $0 }) { log.end(number, "\(outcome)") }
    }
    // It begins when the life's thread takes its task.
    later.append {
      if let number = number.withLock({ $0 }) { self.log.canCancel(number) { task.cancel() } }
    }
  }

  private var later: [() -> Void] = []

  /// Does something else than a call.
  private func other(_ name: String, _ body: @escaping @Sendable (SessionManager) async throws -> Void) {
    others += 1
    CapturedCall(.success(manager)).start { [self] in
      simulation.note("  \(name)")
      try await body($0)
    } completion: { [self] outcome in
      others -= 1
      simulation.note("  end of \(name): \(outcome)")
    }
  }

  private func signIn() {
    let user = simulation.one(of: server.passwords.keys.sorted())
    let password = Secret(server.passwords[user] ?? "")
    other("sign in \(user)") { [self] manager in
      let session = try await manager.signIn(with: .password(username: user, password: password))
      if session.user.id != user { log.violate("\(user)'s sign-in gave \(session.user.id)'s session") }
    }
  }

  private func act() {
    for one in later { one() }
    later = []
    switch simulation.number(0...17) {
    case 0...6: call()
    case 7...9: signIn()
    case 10, 11: other("sign out") { _ = await $0.signOut() }
    case 12:
      other("sign out") { [self] manager in
        _ = await manager.signOut()
        signIn()
      }
    case 13: other("verify") { _ = await $0.verify() }
    case 14: other("session") { _ = try await $0.session() }
    case 15: server.drop()
    case 16: log.cancelOne()
    default:
      if let session = manager.current {
        server.give(session, to: simulation.one(of: server.passwords.keys.sorted()))
        if simulation.chance(0.7) { other("verify") { _ = await $0.verify() } }
      }
    }
  }

  // MARK: Living

  func run() -> [String] {
    let actions = simulation.number(8...25)
    if simulation.chance(0.7) { signIn() }
    CapturedCall(.success(())).start { [self] in
      for _ in 0..<actions {
        act()
        if simulation.chance(0.7) { await simulation.checkpoint("app") }
      }
    } completion: { [self] _ in
      isDone = true
    }
    finish("the life")
    network.weather = SimulatedNetwork.Weather()
    simulation.note("all is well again")
    other("sign out") { _ = await $0.signOut() }
    finish("the last sign-out")
    _ = simulation.live()
    log.judgeOutcomes()
    if manager.current != nil { log.violate("a user is signed in after the sign-out") }
    if !store.keys.isEmpty { log.violate("stored after the sign-out: \(store.keys)") }
    simulation.dissolve()
    return log.violations
  }

  private func finish(_ what: String) {
    let isOver = simulation.live { [self] in isDone && others == 0 && log.areEnded }
    if !isOver { log.violate("\(what) is stuck") }
  }
}
