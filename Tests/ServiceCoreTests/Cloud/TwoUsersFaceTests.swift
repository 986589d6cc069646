import Foundation
import HTTPTypes
import Ostiary
import OstiaryCore
import OstiarySalesforce
import OstiaryTesting
import ServiceCore
import TestSupport
import Testing

/// Requests of two users through the drop-in module, from the main actor, while everything else runs where it likes.
@Suite("Two users of one cloud", .timeLimit(.minutes(30)))
@MainActor
struct TwoUsersFaceTests {
  @Test("Invariant 16: every request is about the user, the settings and the community at which it was made")
  func lives() async throws {
    var judged = 0
    for seed in Storm.seeds(500, full: 5_000, partFrom: 0, variable: "OSTIARY_TWO_USERS") {
      let life = try FaceLife(seed: seed)
      try await life.run()
      judged += life.judged
      #expect(life.violations.isEmpty, "seed \(seed): \(life.violations)")
      if !life.violations.isEmpty { return }
    }
    #expect(judged > 1_000, "too few requests were judged")
  }
}

@MainActor
private final class FaceLife {
  typealias Person = SalesforceStub.Person

  private enum Moment: Hashable {
    case user(Person)
    case guest(String)
    /// The one who answers, or what can't be told from outside.
    case open
  }

  private struct Made: Sendable {
    var moment = Moment.open
    var outcomes = 0
  }

  /// What reached a server: the number of the request, whose proof it had, and where.
  private struct Arrival: Sendable {
    let call: Int
    let person: Person?
    let host: String
  }

  /// Lets others go first, as often as a seed says.
  private struct SlowTransport: Transport {
    let inner: any Transport
    let generator: Locked<SplitMix64>

    private func wait() async {
      let count = generator.withLock { Int.random(in: 0...4, using: &$0) }
      for _ in 0..<count { await Task.yield() }
    }

    func stream(_ request: TransportRequest) async throws -> StreamingResponse {
      await wait()
      let response = try await inner.stream(request)
      await wait()
      return response
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
      await wait()
      let response = try await inner.send(request)
      await wait()
      return response
    }
  }

  private let stub = SalesforceStub()
  private let cloud: ServiceCloud
  private let handler = ScriptedHandler()
  private let environment: ServiceCoreEnvironment
  private var generator: SplitMix64
  private var made: [Made] = []
  /// How many settings are being verified.
  private var verifying = 0
  private let arrivals = Locked<[Arrival]>([])
  private let owners = Locked<[String: Person]>([:])
  private(set) var violations: [String] = []
  private(set) var judged = 0

  init(seed: UInt64) throws {
    generator = SplitMix64(seed: seed)
    var services = SalesforceServiceConfiguration()
    services.sessions.retry = .none
    environment = ServiceCoreEnvironment(
      transport: SlowTransport(inner: stub.transport, generator: Locked(SplitMix64(seed: seed ^ 0xF00D))),
      services: services, clock: stub.clock)
    cloud = ServiceCloud(environment: environment)
    cloud.delegate = handler
    stub.transport.on(.post, MomentTests.cases) { [stub, arrivals, owners] request in
      let token = request.head.headerFields[.authorization].map { String($0.dropFirst("Bearer ".count)) }
      let person = owners.withLock { owners in token.flatMap { owners[$0] } }
      let host = request.head.authority ?? ""
      let number = JSONValue(json: request.body ?? Data())?["call"]?.string.flatMap { Int($0) } ?? -1
      arrivals.withLock { $0.append(Arrival(call: number, person: person, host: host)) }
      if host.hasSuffix("example.com") { return .json(["guest": true], status: .created) }
      let isGood = stub.state.withLock { state in token.map { state.accessTokens[$0] != nil } ?? false }
      return isGood ? .json(["success": true], status: .created) : SalesforceStub.failure("INVALID_SESSION_ID")
    }
    let faults: [Fault?] = [nil, nil, .dropAfterServerActed, .status(.serviceUnavailable)]
    if let fault = one(of: faults) { stub.transport.inject(fault, at: .randomly(0.1, seed: seed)) }
    handler.answer = { [unowned self] completion in
      let settings = one(of: [nil, ann, ben, ann, ben]).flatMap { try? self.settings($0) }
      switch Int.random(in: 0...4, using: &generator) {
      case 0: return false
      case 1:
        Task.detached {
          await Task.yield()
          completion(settings)
          completion(nil)
        }
      default: completion(settings)
      }
      return true
    }
  }

  private let ann = Person.ann
  private let ben = Person.bob

  private func one<Choice>(of choices: [Choice]) -> Choice {
    choices[Int.random(in: choices.indices, using: &generator)]
  }

  private func settings(_ person: Person) throws -> SCSAuthenticationSettings {
    let members = stub.issue(person)
    owners.withLock { $0[members["access_token"] ?? ""] = person }
    return try #require(
      SCSAuthenticationSettings(
        oauth2: Dictionary(uniqueKeysWithValues: members.map { (SCSOAuth2JSONKey(rawValue: $0.key), $0.value) }),
        clientId: "app", environment: environment))
  }

  private var moment: Moment {
    guard let settings = cloud.authenticationSettings(forServiceType: .cases)?.settings else { return .open }
    if let token = settings.tokens?.accessToken.reveal(), let person = owners.withLock({ $0[token] }) {
      return .user(person)
    }
    // A request after settings that are still being verified is about theirs.
    return verifying > 0 ? .open : settings.communityURL?.host().map { .guest($0) } ?? .open
  }

  private func request() {
    let number = made.count
    made.append(Made())
    let before = moment
    cloud.request(
      "POST", path: MomentTests.cases, body: Data(#"{"call":"\#(number)"}"#.utf8), forServiceType: .cases
    ) { [self] _, _ in made[number].outcomes += 1 }
    // What changed in between can't be told.
    if before == moment { made[number].moment = before }
  }

  private func act() throws {
    switch Int.random(in: 0...11, using: &generator) {
    case 0...5: request()
    case 6...8:
      verifying += 1
      cloud.setAuthenticationSettings(try settings(one(of: [ann, ben])), forServiceType: .cases) { [self] _, _ in
        verifying -= 1
      }
    case 9:
      let site = one(of: ["first", "second"])
      cloud.setAuthenticationSettings(
        SCSAuthenticationSettings(guest: URL(string: "https://\(site).example.com")), forServiceType: .cases)
    case 10: cloud.setAuthenticationSettings(nil, forServiceType: .cases)
    default: if Bool.random(using: &generator) { stub.dropTokens() }
    }
  }

  func run() async throws {
    for _ in 0..<Int.random(in: 5...20, using: &generator) {
      try act()
      for _ in 0..<Int.random(in: 0...6, using: &generator) { await Task.yield() }
    }
    try await waitUntil { verifying == 0 && made.allSatisfy { $0.outcomes > 0 } }
    cloud.setAuthenticationSettings(nil, forServiceType: .cases)
    if cloud.authenticationSettings(forServiceType: .cases) != nil { violations.append("settings after a sign-out") }
    for (number, call) in made.enumerated() where call.outcomes != 1 {
      violations.append("request \(number) ended \(call.outcomes) times")
    }
    for arrival in arrivals.withLock({ $0 }) {
      judged += 1
      let who = "request \(arrival.call) as \(arrival.person?.username ?? "a guest") at \(arrival.host)"
      switch made[arrival.call].moment {
      case .user(let person):
        if arrival.person != person { violations.append("\(who), made by \(person.username)") }
      case .guest(let site):
        if arrival.person != nil || arrival.host != site { violations.append("\(who), made by a guest at \(site)") }
      case .open:
        if arrival.person == nil, !arrival.host.hasSuffix("example.com") { violations.append("\(who), without proof") }
      }
    }
  }
}
