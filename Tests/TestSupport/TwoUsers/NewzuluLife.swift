package import Foundation
import HTTPTypes
package import OstiaryCore
import OstiaryTesting

/// A client of a Newzulu platform in the hands of several users, in an order that a seed decides. Every request is judged by the
/// moment at which its call was made.
///
/// Used by the thread of the life alone.
package final class NewzuluLife: SimulatedLife, @unchecked Sendable {
  package let simulation: Simulation
  let stub: NewzuluStub
  let network: SimulatedNetwork
  let log: CallLog<User?>
  private let app: any NewzuluLifeApp
  private(set) var stores: [User: SimulatedStore] = [:]

  /// Who is set.
  private(set) var present: User?
  /// How often each user has been signed out, by what the app has called.
  private var epochs: [User: Int] = [:]
  /// How often each user has been set.
  private var settings: [User: Int] = [:]
  /// Who has been signed out, and not set since.
  private(set) var signedOut: Set<User> = []
  private var clearings = 0
  /// What each call uploads, and how far it has come.
  private(set) var uploads: [Int: Upload] = [:]
  private var states: [(call: Int, state: any Sendable)] = []
  private var unusedFiles = NewzuluLife.files
  private var isDone = false
  private lazy var judge = NewzuluLifeJudge(self)

  package var judged: Int { log.judged }

  /// - Parameter makeApp: makes the app, with a way to the platform.
  package init(
    seed: UInt64, capture: TaskCapture, makeApp: (URL, any Transport, any SessionClock) throws -> any NewzuluLifeApp
  ) throws {
    let simulation = Simulation(seed: seed, capture: capture)
    self.simulation = simulation
    log = CallLog(simulation)
    let stub = NewzuluStub(clock: simulation)
    self.stub = stub
    let judging = Locked<NewzuluLifeJudge?>(nil)
    network = SimulatedNetwork(simulation) { request in
      let judge = judging.withLock { $0 }
      judge?.judge(request)
      let response = try await stub.respond(to: request)
      judge?.note(response, to: request)
      return response
    }
    app = try makeApp(stub.url, network, simulation)
    network.chooseWeather()
    for user in User.allCases { stores[user] = SimulatedStore(simulation, "\(user)") }
    judging.withLock { $0 = judge }
    network.onLostAnswer = { [unowned self] in judge.noteLost($0, $1) }
    simulation.afterStep = { [unowned self] in
      app.settle()
      if let id = app.currentUserID, id != present?.rawValue { log.violate("the session shown is \(id)'s") }
    }
  }

  /// Files that were last changed a while ago: the sources of these tests.
  private static let files: [URL] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let names = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects as? [URL] ?? []
    let files = names.filter { url in
      guard url.pathExtension == "swift", let content = try? Data(contentsOf: url) else { return false }
      return content.count > 100 && content.count < 2_500
    }
    return files.sorted { $0.path < $1.path }
  }()

  /// Whether a user has been signed out since they were as often as that.
  func hasSignedOut(_ user: User, since epoch: Int) -> Bool { epochs[user, default: 0] > epoch }

  // MARK: What the app does

  private func set(_ user: User) {
    simulation.note("  set \(user)")
    guard let store = stores[user] else { return }
    app.set(user, store: store)
    present = user
    settings[user, default: 0] += 1
    signedOut.remove(user)
  }

  private func clear() {
    let left = Locked<(User, Int?)?>(nil)
    app.clear { [self] in
      simulation.note("  clear \(present.map { "\($0)" } ?? "nobody")")
      clearings += 1
      if let present {
        epochs[present, default: 0] += 1
        let set = settings[present]
        left.withLock { $0 = (present, set) }
      }
      present = nil
    } ends: { [self] in
      clearings -= 1
      // An earlier sign-out of the same user may not have ended yet.
      guard let (user, set) = left.withLock({ $0 }), settings[user] == set, clearings == 0 else { return }
      signedOut.insert(user)
      simulation.note("  \(user) is signed out")
      judge.judgeStore(of: user)
    }
  }

  private func authenticate() {
    app.authenticate { [self] in
      log.begin(present, "authenticate")
    } ends: { [self] number, id in
      if let id, id != log.calls[number].moment?.rawValue { log.violate("call \(number) authenticated \(id)") }
      log.end(number, id ?? "failed")
    }
  }

  private func list() {
    let handle = CancelHandle()
    handle.cancel = app.list { [self] in
      let call = log.begin(present, "list")
      log.canCancel(call) { handle.cancel?() }
      return (call, "call\(call)")
    } ends: { [self] in
      ended($0, $1)
    }
  }

  private func upload() {
    let handle = CancelHandle()
    handle.cancel = app.upload { [self] in
      let (upload, state) = nextUpload()
      let call = log.begin(present, "upload of \(upload.title)")
      uploads[call] = upload
      log.canCancel(call) { handle.cancel?() }
      return (call, upload, state)
    } ends: { [self] call, outcome, state in
      // What was begun without a user is the next one's.
      if let state, log.calls[call].moment != nil { states.append((call, state)) }
      ended(call, outcome)
    }
  }

  private func ended(_ call: Int, _ outcome: String) {
    // Every user is set with their own password.
    if outcome.contains("refused the e-mail") { log.violate("call \(call) lost a password that is right") }
    log.end(call, outcome)
  }

  private func nextUpload() -> (Upload, (any Sendable)?) {
    if !states.isEmpty, simulation.chance(0.4) {
      let (call, state) = simulation.one(of: states)
      // Another thread would read the parts of a file again.
      if let upload = uploads[call], !upload.source.isFileURL || log.calls[call].moment != present {
        return (upload, state)
      }
    }
    let call = log.calls.count
    let epoch = present.map { epochs[$0, default: 0] } ?? 0
    if simulation.chance(0.5), !unusedFiles.isEmpty {
      let file = unusedFiles.remove(at: simulation.number(0...unusedFiles.count - 1))
      let content = (try? Data(contentsOf: file)) ?? Data()
      return (Upload(source: file, title: "call\(call)", content: content, epoch: epoch), nil)
    }
    let content = Data(repeatElement("\(call), ", count: simulation.number(1...400)).joined().utf8)
    let url = URL(string: "data:image/png;base64,\(content.base64EncodedString())") ?? URL(filePath: "/")
    return (Upload(source: url, title: "call\(call)", content: content, epoch: epoch), nil)
  }

  /// Whether one of the calls that upload something was cancelled.
  func isCancelled(_ upload: Upload) -> Bool {
    uploads.contains { $0.value.title == upload.title && log.calls[$0.key].isCancelled }
  }

  private func act() {
    switch simulation.number(0...19) {
    case 0...6: list()
    case 7...11: upload()
    case 12, 13: authenticate()
    case 14...16: set(simulation.one(of: [.ann, .ann, .ben, .ben, .annElsewhere]))
    case 17: clear()
    case 18: log.cancelOne()
    default: if simulation.chance(0.5) { stub.dropSessions() } else { clear() }
    }
  }

  // MARK: Living

  package func run() -> [String] {
    let actions = simulation.number(8...25)
    if simulation.chance(0.9) { set(.ann) }
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
    simulation.note("all is well again")
    network.weather = SimulatedNetwork.Weather()
    // What is still owed to the platform is told at the next sign-in.
    for user in User.allCases {
      set(user)
      list()
      finish("the last call of \(user)")
      clear()
      finish("the last sign-out of \(user)")
      _ = simulation.live()
    }
    log.judgeOutcomes()
    judge.judgeRest()
    simulation.dissolve()
    return log.violations
  }

  private func finish(_ what: String) {
    let isOver = simulation.live { [self] in isDone && clearings == 0 && log.areEnded }
    if !isOver { log.violate("\(what) is stuck") }
  }
}

/// How a call is cancelled, once it has begun.
private final class CancelHandle {
  var cancel: (() -> Void)?
}
