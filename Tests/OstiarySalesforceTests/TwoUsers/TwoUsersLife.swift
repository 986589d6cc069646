import Foundation
import HTTPTypes
import Logging
import OstiaryCore
import OstiarySalesforce
import OstiaryTesting
import TestSupport

/// A service in the hands of two users, in an order that a seed decides. Every request is judged by the moment at which its
/// call was made.
///
/// Used by the thread of the life alone.
final class TwoUsersLife: SimulatedLife, @unchecked Sendable {
  typealias User = TwoUsersOrg.User

  /// Whom a call is about, by what the app could see when it made the call.
  enum Moment: Hashable {
    case user(User)
    case guest(site: String)
    /// The one who answers the question that the call waits for, or a guest.
    case open
  }

  private struct Made {
    let moment: Moment
    /// How many users had been handed over when the question began that the call may have found.
    let since: Int
    var asWhom: User??
    var outcomes = 0
    var task: Task<Void, Never>?
  }

  let simulation: Simulation
  let org: TwoUsersOrg
  let service: SalesforceService
  private(set) var violations: [String] = []
  /// How many requests of calls were judged.
  private(set) var judged = 0

  private var made: [Made] = []
  /// Those who were handed over, in their order.
  private var handedOver: [User] = []
  /// How many had been handed over at the last event.
  private var settled = 0
  /// Whose settings the last event told of.
  private var last: User?
  /// Whether the present settings are the app's own, rather than an answer.
  private var isSet = false
  /// Whose settings are being verified, with the number of the change.
  private var pending: (number: Int, user: User)?
  private var changes = 0
  private var known: [SalesforceSettings] = []
  private var isEnding = false
  private var isDone = false

  init(seed: UInt64, capture: TaskCapture) {
    simulation = Simulation(seed: seed, capture: capture)
    org = TwoUsersOrg(simulation)
    org.network.chooseWeather()
    var configuration = SalesforceServiceConfiguration()
    configuration.sessions.retry = .none
    configuration.maximumFailures = simulation.one(of: [1, 2, 2, 3])
    service = SalesforceService(
      .cases, transport: org.network, configuration: configuration, clock: simulation, logger: Self.silent)
    service.handlers = SalesforceServiceHandlers(
      shouldAuthenticate: { [unowned self] _, reply in await answer(reply) },
      authenticationFailed: { [unowned self] _, _ in
        await simulation.checkpoint("told")
        await callBack()
        return simulation.chance(0.7)
      })
    service.onEvent { [unowned self] event in
      last = event.settings?.tokens.flatMap { org.owners[$0.accessToken.reveal()] }
      settled = handedOver.count
      isSet = event.cause == .requestedByApp && event.settings != nil
      simulation.note("  event \(last.map { "\($0)" } ?? "nobody") \(event.cause)")
    }
    org.judge = { [unowned self] in judge($0, $1, $2) }
    org.onDevice = { [unowned self] _, _, proof, host in
      if let proof, host != proof.host { violate("a device of \(proof) at \(host)") }
    }
  }

  private static let silent = Logger(label: "silent", factory: { _ in SwiftLogNoOpLogHandler() })

  var trace: String { "seed \(simulation.seed)\n" + simulation.steps.suffix(200).joined(separator: "\n") }

  private func violate(_ text: String) { violations.append(text + "\n" + trace) }

  // MARK: Judging

  /// Whom a call is about that is made now.
  /// - Parameter site: where it goes for guests without a site of their own.
  private func moment(_ site: String, needsUser: Bool) -> Moment {
    if let tokens = service.connection?.tokens ?? service.settings?.tokens,
      let user = org.owners[tokens.accessToken.reveal()]
    {
      return .user(user)
    }
    // A session that is over is its user's until another is there.
    if service.connection != nil, let last { return .user(last) }
    if let pending { return .user(pending.user) }
    if let last { return .user(last) }
    guard case .guest = service.currentState, isSet || !needsUser else { return .open }
    return .guest(site: service.settings?.communityURL?.host() ?? site)
  }

  private func judge(_ number: Int, _ proof: User?, _ host: String) {
    guard made.indices.contains(number) else { return violate("a request of no call") }
    judged += 1
    let call = made[number]
    let who = proof.map { "\($0)" } ?? "a guest"
    if let proof, host != proof.host { violate("call \(number): \(proof)'s proof at \(host)") }
    if let before = call.asWhom, before != proof { violate("call \(number) was sent as two users") }
    made[number].asWhom = .some(proof)
    switch call.moment {
    case .user(let user):
      if proof != user { violate("call \(number) of \(user) was sent as \(who) to \(host)") }
    case .guest(let site):
      if proof != nil || host != site { violate("call \(number) of a guest at \(site) was sent as \(who) to \(host)") }
    case .open:
      if proof == nil, !host.hasPrefix("guests") { violate("call \(number) was sent without proof to \(host)") }
      if let proof, !handedOver[call.since...].contains(proof) {
        violate("call \(number) was sent as \(proof), whom no answer to its question named")
      }
    }
  }

  // MARK: What the app does

  private func settings(_ user: User) -> SalesforceSettings? {
    let isAgain = simulation.chance(0.3)
    let earlier = known.filter { $0.tokens.flatMap { org.owners[$0.accessToken.reveal()] } == user }
    if isAgain, !earlier.isEmpty { return simulation.one(of: earlier) }
    var members = org.issue(user, refreshable: simulation.chance(0.4))
    // Tokens may say no more than where the org is.
    if simulation.chance(0.4) { members["id"] = nil }
    guard let tokens = SalesforceTokens(members, clientID: "app") else { return nil }
    var settings = SalesforceSettings(tokens)
    if simulation.chance(0.5) {
      var configuration = SessionConfiguration()
      configuration.retry = .none
      let connection = try? SalesforceConnection(
        tokens, transport: org.network, configuration: configuration, clock: simulation, logger: Self.silent)
      if let connection { settings = SalesforceSettings(connection) ?? settings }
    }
    known.append(settings)
    return settings
  }

  private var site: String { simulation.one(of: ["guests1.example.com", "guests2.example.com"]) }

  private func guest() -> SalesforceSettings {
    .guest(communityURL: simulation.chance(0.8) ? URL(string: "https://\(site)") : nil)
  }

  private func answer(_ reply: SalesforceSettingsReply) async -> Bool {
    await simulation.checkpoint("asked")
    await callBack()
    guard !isEnding else { return false }
    let user = simulation.one(of: User.allCases)
    switch simulation.number(0...9) {
    case 0: return false
    case 1: reply(nil)
    case 2: reply(guest())
    case 3: return true  // The reply is dropped.
    case 4:
      set(user)
      return true
    default:
      let settings = settings(user)
      let other = simulation.chance(0.2) ? self.settings(simulation.one(of: User.allCases)) : nil
      let give = { [self] in
        simulation.note("  reply \(user)")
        handedOver.append(user)
        reply(settings)
        // A second answer does nothing.
        if let other { reply(other) }
      }
      if simulation.chance(0.5) {
        give()
      } else {
        Task {
          await simulation.checkpoint("late reply")
          give()
        }
      }
    }
    return true
  }

  /// A handler may call its service. What would wait for the handler itself would end with the limit.
  private func callBack() async {
    guard simulation.chance(0.15) else { return }
    let (number, begun) = begin()
    do {
      _ = try await begun?.value.response()
    } catch {
      if (error as? OstiaryError)?.code == .signInTimedOut { violate("a callback waited for itself") }
    }
    made[number].outcomes += 1
  }

  private func set(_ user: User?, guest: Bool = false) {
    changes += 1
    let number = changes
    let settings = user.flatMap { self.settings($0) } ?? (guest ? self.guest() : nil)
    simulation.note("  set \(user.map { "\($0)" } ?? (guest ? "guest" : "nil"))")
    if let user {
      handedOver.append(user)
      pending = (number, user)
    } else {
      pending = nil
    }
    let change = service.begin(settings)
    CapturedCall(.success(change)).start {
      try await $0.wait()
    } completion: { [self] _ in
      if pending?.number == number { pending = nil }
    }
  }

  private func begin() -> (Int, CapturedCall<SalesforceServiceCall>?) {
    let number = made.count
    let site = site
    let needsUser = simulation.chance(0.3)
    made.append(Made(moment: moment(site, needsUser: needsUser), since: settled))
    simulation.note("  call \(number) of \(made[number].moment)\(needsUser ? ", needing a user" : "")")
    var call = try? SalesforceCall.post(TwoUsersOrg.cases, json: .object(["call": .string("\(number)")]))
    if simulation.chance(0.1) { call?.replay = .never }
    return (
      number,
      call.map {
        service.begin($0, guestSite: URL(string: "https://\(site)"), needsUser: needsUser)
      }
    )
  }

  private func call() {
    let (number, begun) = begin()
    made[number].task = begun?.start {
      try await $0.response()
    } completion: { [self] outcome in
      made[number].outcomes += 1
      simulation.note("  end of call \(number): \(outcome.map { "\($0.status.code)" })")
    }
  }

  private func register() {
    simulation.note("  register")
    _ = service.connection?.beginPush { try await $0.register(SalesforcePush.Device(token: Data([1]), bundle: "app")) }
  }

  private func act() {
    switch simulation.number(0...19) {
    case 0...8: call()
    case 9...12: set(simulation.one(of: User.allCases))
    case 13: set(nil, guest: true)
    case 14: set(nil)
    case 15, 16: org.drop(simulation.one(of: User.allCases), refreshTokensToo: simulation.chance(0.6))
    case 17: if !made.isEmpty { simulation.one(of: made).task?.cancel() }
    case 18: register()
    default:
      CapturedCall(.success(service)).start {
        try await $0.authenticate()
      } completion: { _ in
      }
    }
  }

  /// Lives, signs out, and returns what was wrong.
  func run() -> [String] {
    simulation.startApp(of: simulation.number(10...30), act: act) { [self] in isDone = true }
    if !simulation.live(until: { [self] in isDone && made.allSatisfy { $0.outcomes > 0 } }) { violate("it is stuck") }
    isEnding = true
    let isStormy = org.network.weather.lost + org.network.weather.foreign > 0
    org.network.weather = SimulatedNetwork.Weather()
    set(nil)
    if service.settings != nil || service.connection != nil { violate("settings after a sign-out") }
    _ = simulation.live()
    if service.settings != nil || service.connection != nil { violate("settings came back after a sign-out") }
    for (number, call) in made.enumerated() where call.outcomes != 1 {
      violate("call \(number): \(call.outcomes) ends")
    }
    if !isStormy, !org.hasDropped, !org.devices.isEmpty { violate("registered after a sign-out: \(org.devices)") }
    simulation.dissolve()
    return violations
  }
}
