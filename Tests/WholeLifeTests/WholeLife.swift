import Foundation
import HTTPTypes
import Logging
import OstiaryCore
import OstiaryGateway
import OstiaryNewzulu
import OstiaryOAuth
import OstiaryPega
import OstiaryTesting
import TestSupport

/// One whole life: up to three processes with a session of one kind, over up to two gateways, on one store, and everything
/// that happens to them in an order that the seed decides. ``Referee`` judges it.
final class WholeLife: @unchecked Sendable {
  // Used by the thread of the life alone.
  enum Act: CaseIterable {
    case request, post, oddRequest, elsewhere, verify, session, signInAnn, signInBen, signInBenLate, signInImported,
      signOut
    case cancelSignIn, flush, restore, restart, kill
  }

  enum Event: CaseIterable {
    case drop, dropGateway, closeGateway, expireAccess, endGrace, endOldest, lock, unlock, loseAccess, damage,
      clockAhead, clockBack
    case clockRight, hoursPass, cancelCaller, restartMachine
  }

  let kind: LifeKind
  let simulation: Simulation
  let ledger = Ledger()
  let store: LifeStore
  let servers: LifeServers
  let weather = LifeTransport.Weather()
  private(set) var processes: [LifeProcess] = []
  private(set) var dead: [LifeProcess] = []
  private var lastProcess = 0
  private var lastRequest = 0
  private var callers: [(number: Int, task: Task<Void, Never>)] = []
  private var lastCaller = 0
  private let source: Source
  /// Whether the app's person signs in when asked.
  var isAsked = 0
  var declines = 0.0
  /// When users signed out: from, and until it had returned.
  private(set) var signOuts: [(from: Int, until: Int?)] = []
  private(set) var cancellations = 0
  private(set) var damages = 0
  /// The families whose proof a manager has shown.
  private(set) var shownFamilies: Set<Int> = []
  /// These families in the order in which they were first shown.
  private(set) var shownOrder: [Int] = []
  /// What each process showed after the step before.
  private(set) var lastShown: [Int: [String]] = [:]

  private enum Source: CaseIterable { case manual, onRequest, upFront }

  init(kind: LifeKind, seed: UInt64, capture: TaskCapture) throws {
    self.kind = kind
    let simulation = Simulation(seed: seed, capture: capture)
    self.simulation = simulation
    let below = simulation.one(of: [0, 0, 1, 1, 2])
    let gates = kind == .gateway ? max(1, below) : (kind == .newzulu ? below / 2 : below)
    store = LifeStore(
      simulation, hasStamps: simulation.chance(0.6), losesAccess: simulation.chance(0.5))
    servers = LifeServers(kind: kind, gates: gates, simulation: simulation, ledger: ledger)
    servers.rolling = simulation.one(of: [0, 0.2, 0.6])
    servers.flooding = simulation.one(of: [0, 0, 0.2])
    servers.cookieAge = simulation.one(of: LifeServers.CookieAge.allCases)
    servers.demandsWith401 = simulation.chance(0.5)
    source = simulation.one(of: [.manual, .manual, .manual, .onRequest, .onRequest, .upFront])
    declines = simulation.one(of: [0, 0.5, 1])
    for _ in 0..<simulation.one(of: [1, 1, 2, 2, 3]) { processes.append(try makeProcess()) }
    simulation.afterStep = { [unowned self] in look() }
  }

  /// Whether requests sign in without a person.
  var signsInByItself: Bool { source == .upFront }

  /// Whether one life alone is lived, of which everything is shown.
  static let isWatched = ProcessInfo.processInfo.environment["OSTIARY_LIVES"] == "1"

  // MARK: Processes

  private func makeProcess() throws -> LifeProcess {
    let process = LifeProcess(number: lastProcess)
    lastProcess += 1
    let view = StoreView(store: store, process: process)
    var transport: any Transport = LifeTransport(servers: servers, process: process, weather: weather)
    for gate in 0..<servers.gates {
      let isTop = gate == servers.topLayer
      let manager = manager(try gateway(gate), transport, view, isTop ? source : .upFront, user: isTop ? nil : "gate")
      add(manager, to: process, layer: gate)
      transport = AuthenticatedTransport(manager, over: transport)
    }
    guard kind != .gateway else { return process }
    let authenticator: any Authenticator
    switch kind {
    case .oauth: authenticator = try oauth()
    case .pega: authenticator = try PegaAuthenticator(server: Self.url("/prweb"))
    case .newzulu, .gateway:
      authenticator = try NewzuluAuthenticator(server: Self.url(""), apiKey: "key", vhost: "1")
    }
    add(manager(authenticator, transport, view, source, user: nil), to: process, layer: servers.topLayer)
    return process
  }

  private func manager(
    _ authenticator: any Authenticator, _ transport: any Transport, _ view: StoreView, _ source: Source, user: String?
  ) -> SessionManager {
    var configuration = SessionConfiguration()
    configuration.retry = RetryPolicy(attempts: simulation.number(0...2), base: .milliseconds(1))
    configuration.storePatience = .seconds(2)
    configuration.historyLength = 1_000
    let credentials: CredentialSource
    switch source {
    case .manual: credentials = .manual
    case .upFront: credentials = .upFront(Self.password(user ?? "ann"))
    case .onRequest:
      credentials = .onRequest { [unowned self] _ in
        isAsked += 1
        await simulation.checkpoint("a person is asked")
        if simulation.chance(declines) { throw OstiaryError(.interactionCancelled, "The person declined.") }
        return Self.password(user ?? simulation.one(of: ["ann", "ann", "ben"]))
      }
    }
    return SessionManager(
      authenticator: authenticator, transport: transport, credentials: credentials, store: view,
      configuration: configuration, clock: simulation,
      logger: Logger(label: "life") { _ in SwiftLogNoOpLogHandler() })
  }

  private func add(_ manager: SessionManager, to process: LifeProcess, layer: Int) {
    process.layers.append(manager)
    manager.onEvent { [unowned self, unowned process] event in
      let user = event.user.map { " of \($0)" } ?? ""
      simulation.note("  P\(process.number).\(layer) \(event.kind)\(user): \(event.cause) \(event.detail ?? "")")
      if event.kind == .signedOut, !process.isDead { Referee.judge(event, of: process, layer: layer, in: self) }
    }
  }

  // MARK: Living

  /// Lives the life, and what comes after it, until all is quiet.
  /// - Returns: what must hold and did not.
  func run() -> [String] {
    let initial = simulation.number(0...9)
    if initial > 0 {
      // Most lives begin signed in, some of these in bad weather.
      if initial > 7 { setTrouble() }
      _ = finish(Task { [self] in await act(.signInAnn, processes[0]) })
    }
    setTrouble()
    var tasks: [Task<Void, Never>] = []
    let acts = acts()
    for index in processes.indices {
      for lane in 0..<simulation.number(1...2) {
        let plan = (0..<simulation.number(1...4)).map { _ in simulation.one(of: acts) }
        tasks.append(
          Task { [self] in
            for act in plan {
              await simulation.checkpoint("P\(processes[index].number)/\(lane) next")
              await call(act, index)
            }
          })
      }
    }
    let events = (0..<simulation.number(1...6)).map { _ in simulation.one(of: Event.allCases) }
    tasks.append(
      Task { [self] in
        for event in events {
          await simulation.checkpoint("world next")
          happen(event)
        }
      })
    let all = tasks
    guard finish(Task { for task in all { await task.value } }) else {
      return ["the life is stuck"]
    }
    let broken = Referee(life: self).judge()
    simulation.dissolve()
    return ledger.broken + broken
  }

  /// Lets the simulation go on until the task has ended.
  func finish(_ task: Task<Void, Never>) -> Bool {
    let isOver = Locked(false)
    Task {
      await task.value
      isOver.withLock { $0 = true }
    }
    return simulation.live(until: { isOver.withLock { $0 } })
  }

  private func setTrouble() {
    weather.trouble = simulation.one(of: [0, 0, 0.1, 0.25])
    store.trouble = simulation.one(of: [0, 0, 0.1, 0.25])
  }

  private func acts() -> [Act] {
    var acts: [Act] = [.request, .request, .request, .request, .request, .post, .oddRequest, .verify, .session, .flush]
    acts += [.restore, .restart]
    if kind == .pega { acts += [.elsewhere, .verify] }
    if simulation.chance(0.3) { acts += [.signOut] }
    if simulation.chance(0.3) { acts += [.signInBen, .signInAnn, .signInBenLate] }
    if simulation.chance(0.3) { acts += [.signInAnn, .cancelSignIn] }
    if simulation.chance(0.3) { acts += [.kill] }
    if kind == .oauth, simulation.chance(0.3) { acts += [.signInImported] }
    return acts
  }

  private func call(_ act: Act, _ index: Int) async {
    let process = processes[index]
    let task = Task { await self.act(act, process) }
    lastCaller += 1
    let number = lastCaller
    callers.append((number, task))
    await task.value
    callers.removeAll { $0.number == number }
  }

  private func act(_ act: Act, _ process: LifeProcess) async {
    guard !process.isDead else { return }
    simulation.note("  P\(process.number) \(act)")
    let manager = process.top
    switch act {
    case .request: await request(process, .get, Self.path(kind))
    case .post: await request(process, .post, Self.path(kind))
    case .oddRequest:
      let odd = simulation.chance(0.5) ? ";jsessionid=1" : "/" + String(repeating: "x", count: 9_000)
      await request(process, .get, kind == .newzulu ? Self.path(kind) : Self.path(kind) + odd + "/page")
    case .elsewhere: await request(process, .get, "/intranet/page")
    case .verify: _ = await manager.verify()
    case .session: _ = try? await manager.session()
    case .signInAnn: await signIn(process, Self.password("ann"))
    case .signInBen: await signIn(process, Self.password("ben"))
    case .signInBenLate:
      // By then the tokens are over by their date.
      simulation.pass(7_200)
      await signIn(process, Self.password("ben"))
    case .signInImported:
      let token = servers.importedToken(of: "ann")
      ledger.arrived([token], at: process.number)
      await signIn(process, .proof(Proof(tokens: [OAuthAuthenticator.refreshToken: Secret(token)])))
    case .signOut: await signOut(process)
    case .cancelSignIn:
      cancellations += 1
      manager.cancelSignIn()
    case .flush: try? await manager.flush()
    case .restore: _ = await manager.restore()
    case .restart:
      // A process that ends well: everything that it knows is in the store, unless the store can't be written.
      for layer in process.layers {
        guard (try? await layer.flush()) != nil else { return }
      }
      end(process)
    case .kill: end(process)
    }
  }

  private func signIn(_ process: LifeProcess, _ credential: Credential) async {
    do {
      let session = try await process.top.signIn(with: credential)
      simulation.note("  P\(process.number) is signed in as \(session.user.id)")
    } catch {
      simulation.note("  P\(process.number) did not sign in: \(error)")
    }
  }

  func signOut(_ process: LifeProcess) async {
    let index = signOuts.count
    signOuts.append((ledger.tick(), nil))
    await process.top.signOut()
    signOuts[index].until = ledger.tick()
  }

  /// Whether the store has a value in the entry of its own layer. In another layer's jar it is no proof of that one.
  func isStored(_ value: String, _ layers: [SessionManager]) -> Bool {
    guard let layer = ledger.family(of: value).map({ ledger.families[$0].layer }), layers.indices.contains(layer) else {
      return false
    }
    return store.contains(value, under: layers[layer].key)
  }

  private func end(_ process: LifeProcess) {
    guard !process.isDead, let index = processes.firstIndex(where: { $0 === process }) else { return }
    process.isDead = true
    ledger.lost(Array(process.awaited))
    for access in process.access { store.leave(access.key, access.holder) }
    let others = Set(processes.filter { $0 !== process }.flatMap(\.shown))
    ledger.forget(process: process.number) { others.contains($0) || isStored($0, process.layers) }
    dead.append(process)
    do { processes[index] = try makeProcess() } catch { ledger.broken.append("\(error)") }
  }

  @discardableResult
  func request(_ process: LifeProcess, _ method: HTTPRequest.Method, _ path: String) async -> Bool {
    lastRequest += 1
    let number = "\(lastRequest)"
    do {
      var request = TransportRequest(
        HTTPRequest(method: method, scheme: "https", authority: LifeServers.host, path: path))
      if let name = HTTPField.Name("X-Life-Request") { request.head.headerFields[name] = number }
      if kind == .newzulu {
        request.head.method = .post
        request.head.headerFields[.contentType] = "application/json"
        request.body = Data(#"{"method":"media.getFiles"}"#.utf8)
      } else if method == .post {
        request.body = Data("x".utf8)
      }
      let response = try await AuthenticatedTransport(process.top).send(request)
      let text = String(decoding: response.body, as: UTF8.self)
      simulation.note("  P\(process.number) request \(number): \(response.status.code)")
      return Referee.judge(text, of: number, in: self)
    } catch {
      simulation.note("  P\(process.number) request \(number): \(error)")
      return false
    }
  }

  private func happen(_ event: Event) {
    simulation.note("  world: \(event)")
    switch event {
    case .drop: if simulation.chance(0.5) { servers.drop(layer: servers.topLayer) }
    case .dropGateway: if servers.topLayer > 0 { servers.drop(layer: 0) }
    case .closeGateway:
      guard servers.topLayer > 0, simulation.chance(0.5) else { return }
      servers.isGatewayClosed = true
      servers.drop(layer: 0)
    case .expireAccess: servers.expireAccess()
    case .endGrace: servers.endGrace()
    case .endOldest: servers.endOldest()
    case .lock: store.isLocked = true
    case .unlock: store.isLocked = false
    case .loseAccess: store.loseAccess()
    case .damage:
      guard simulation.chance(0.5), let key = simulation.one(of: processes).layers.last?.key else { return }
      damages += 1
      ledger.damage()
      store.damage(key, aside: processes.count == 1 && simulation.chance(0.5))
      let shown = Set(processes.flatMap(\.shown))
      let layers = processes.first?.layers ?? []
      ledger.forget(process: nil) { shown.contains($0) || isStored($0, layers) }
    case .clockAhead: simulation.wallOffset += Double(simulation.number(1...72)) * 3_600
    case .clockBack: simulation.wallOffset -= Double(simulation.number(1...72)) * 3_600
    case .clockRight: simulation.wallOffset = 0
    case .hoursPass: simulation.pass(Double(simulation.number(1...5)) * 3_600)
    case .restartMachine:
      guard simulation.chance(0.5) else { return }
      simulation.restartMachine()
      if simulation.chance(0.5) { simulation.wallOffset += Double(simulation.number(-72...72)) * 3_600 }
      for process in processes { end(process) }
    case .cancelCaller: if !callers.isEmpty { simulation.one(of: callers).task.cancel() }
    }
  }

  /// Notes what every process shows now.
  private func look() {
    for process in processes {
      let shown = process.shown
      lastShown[process.number] = shown
      for value in shown {
        guard let family = ledger.family(of: value) else { continue }
        if shownFamilies.insert(family).inserted { shownOrder.append(family) }
        ledger.hold(value, by: process.number)
      }
    }
  }

  /// Whether a user's sign-out may have ended a family: it had not returned when the family began.
  func isExcused(_ family: Int) -> Bool {
    guard ledger.families[family].layer == servers.topLayer else { return false }
    return signOuts.contains { $0.until ?? .max > ledger.families[family].born }
  }

  /// What is needed to see what went wrong.
  var trace: String {
    let steps = simulation.steps.suffix(Self.isWatched ? .max : 100).joined(separator: "\n")
    let families = ledger.families.enumerated().map { "F\($0): \($1)" }.joined(separator: "\n")
    return
      "\(kind), seed \(simulation.seed), \(processes.count) processes, \(servers.gates) gateways\n\(steps)\n\(families)"
  }
}
