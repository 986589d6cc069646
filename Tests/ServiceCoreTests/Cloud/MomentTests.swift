import Foundation
import HTTPTypes
import Ostiary
import OstiaryCore
import OstiarySalesforce
import OstiaryTesting
import ServiceCore
import TestSupport
import Testing

/// What a call is about is settled when it is made.
@Suite("The moment of a call", .timeLimit(.minutes(20)))
@MainActor
struct MomentTests {
  nonisolated static let cases = "/services/data/v58.0/sobjects/Case"

  /// What an app sets after it has made a request as Ann.
  enum Change: CaseIterable, Sendable { case guest, ben, nothing }

  @Test(
    "Bug-F04: a request keeps the user under whom it was made, in both forms",
    arguments: Change.allCases, [true, false])
  func user(_ change: Change, awaits: Bool) async throws {
    for round in 0..<20 {
      let stage = ScriptedStage()
      try await stage.set(try stage.settings(.ann))
      let posting = stage.post("Ann's", awaits: awaits)
      stage.cloud.setAuthenticationSettings(try stage.settings(after: change), forServiceType: .cases)
      let response = try await posting.value
      #expect(response.statusCode == 201, "round \(round)")
      #expect(stage.stub.state.withLock { $0.cases } == ["Ann's": [.ann]], "round \(round)")
      #expect(stage.guestRequests == [])
    }
  }

  @Test("Bug-F04: a guest's request goes to the site that guests had at that moment")
  func site() async throws {
    for configures in [true, false] {
      let stage = ScriptedStage()
      if configures {
        stage.cloud.serviceConfiguration = SCSServiceConfiguration(community: try #require(URL(string: Self.first)))
        stage.cloud.setAuthenticationSettings(SCSAuthenticationSettings(guest: nil), forServiceType: .cases)
      } else {
        stage.cloud.setAuthenticationSettings(
          SCSAuthenticationSettings(guest: URL(string: Self.first)), forServiceType: .cases)
      }
      let posting = stage.post("A guest's", awaits: false)
      stage.cloud.serviceConfiguration = SCSServiceConfiguration(community: try #require(URL(string: Self.second)))
      stage.cloud.setAuthenticationSettings(
        SCSAuthenticationSettings(guest: URL(string: Self.second)), forServiceType: .cases)
      _ = try await posting.value
      #expect(stage.guestRequests == ["first.example.com"])
    }
  }

  @Test("Bug-F35: the settings of a late answer are never shown as the present ones")
  func lateAnswer() async throws {
    let stage = ScriptedStage()
    let asked = Gate()
    let late = Locked<ScriptedHandler.Completion?>(nil)
    stage.handler.answer = { completion in
      late.withLock { $0 = completion }
      asked.open()
      return true
    }
    let posting = stage.post("A guest's", awaits: false)
    try await asked.pass()
    let present = SCSAuthenticationSettings(guest: URL(string: Self.first))
    stage.cloud.setAuthenticationSettings(present, forServiceType: .cases)
    late.withLock { $0 }?(SCSAuthenticationSettings(guest: URL(string: Self.second)))
    #expect(stage.cloud.authenticationSettings(forServiceType: .cases) === present)
    _ = try await posting.value
    #expect(stage.guestRequests == ["first.example.com"])
    #expect(
      stage.cloud.authenticationSettings(forServiceType: .cases)?.settings.communityURL?.host() == "first.example.com")
  }

  @Test("Bug-F35: settings that the server refused are not shown in place of those that hold")
  func refusedSettings() async throws {
    let stage = ScriptedStage()
    let ann = try stage.settings(.ann)
    try await stage.set(ann)
    let ben = try stage.settings(.bob)
    stage.stub.dropAccessTokens()
    await #expect(throws: NSError.self) { try await stage.set(ben) }
    #expect(stage.cloud.authenticationSettings(forServiceType: .cases) === ann)
  }

  @Test("Bug-F36: a request that the delegate makes in its callback fails at once; its answer counts all the same")
  func ownCallback() async throws {
    let stage = ScriptedStage()
    let ann = try stage.settings(.ann)
    let inner = Locked<Task<ServiceResponse, any Error>?>(nil)
    stage.handler.answer = { completion in
      inner.withLock { $0 = stage.post("In the callback", awaits: false) }
      completion(ann)
      return true
    }
    #expect(try await stage.post("Ann's", awaits: false).value.statusCode == 201)
    let made = try #require(inner.withLock { $0 })
    #expect(await Self.code(made) == .calledFromOwnCallback)
    #expect(stage.stub.state.withLock { $0.cases } == ["Ann's": [.ann]])
  }

  @Test("Bug-F36: a delegate that sets settings instead of answering is not waited for")
  func setsInstead() async throws {
    let stage = ScriptedStage()
    let ann = try stage.settings(.ann)
    let kept = Locked<ScriptedHandler.Completion?>(nil)
    stage.handler.answer = { completion in
      kept.withLock { $0 = completion }
      stage.cloud.setAuthenticationSettings(ann, forServiceType: .cases)
      return true
    }
    #expect(try await stage.post("Ann's", awaits: false).value.statusCode == 201)
    #expect(stage.stub.state.withLock { $0.cases } == ["Ann's": [.ann]])
    #expect(stage.cloud.authenticationSettings(forServiceType: .cases) === ann)
  }

  @Test(
    "Two delegates in a row: each question goes to the delegate of its time, and a late answer of the first is none")
  func twoDelegates() async throws {
    let stage = ScriptedStage()
    let asked = Gate()
    let late = Locked<ScriptedHandler.Completion?>(nil)
    stage.handler.answer = { completion in
      late.withLock { $0 = completion }
      asked.open()
      return true
    }
    let first = stage.post("First", awaits: false)
    try await asked.pass()
    stage.cloud.setAuthenticationSettings(nil, forServiceType: .cases)
    let second = ScriptedHandler()
    let ben = try stage.settings(.bob)
    second.answer = { completion in
      // From another thread, and twice.
      Task.detached {
        completion(ben)
        completion(nil)
      }
      return true
    }
    stage.cloud.delegate = second
    await #expect(throws: (any Error).self) { try await first.value }
    let response = try await stage.post("Second", awaits: true).value
    #expect(response.statusCode == 201)
    late.withLock { $0.take() }?(try stage.settings(.ann))
    #expect(stage.cloud.authenticationSettings(forServiceType: .cases) === ben)
    #expect(stage.stub.state.withLock { $0.cases } == ["Second": [.bob]])
    #expect(second.count == 1 && stage.handler.count == 1)
  }

  private nonisolated static func code(_ task: Task<ServiceResponse, any Error>) async -> OstiaryError.Code? {
    await failure { try await task.value }?.code
  }

  nonisolated static let first = "https://first.example.com"
  nonisolated static let second = "https://second.example.com"
}

/// A delegate that answers as it is told.
@MainActor
final class ScriptedHandler: SCServiceCloudDelegate {
  typealias Completion = @Sendable (SCSAuthenticationSettings?) -> Void

  var answer: (@escaping Completion) -> Bool = { _ in false }
  private(set) var count = 0

  func serviceCloud(
    _ serviceCloud: ServiceCloud, shouldAuthenticateServiceType service: SCServiceType,
    completion: @escaping Completion
  ) -> Bool {
    count += 1
    return answer(completion)
  }
}

/// A cloud of its own with an org without a network.
@MainActor
struct ScriptedStage {
  let stub = SalesforceStub()
  let cloud: ServiceCloud
  let handler = ScriptedHandler()

  init() {
    stub.transport.on(.post, MomentTests.cases) { [stub] in Self.answer($0, stub) }
    cloud = ServiceCloud(environment: Self.environment(stub))
    cloud.delegate = handler
  }

  private static func environment(_ stub: SalesforceStub) -> ServiceCoreEnvironment {
    var services = SalesforceServiceConfiguration()
    services.sessions.retry = .none
    return ServiceCoreEnvironment(transport: stub.transport, services: services, clock: stub.clock)
  }

  /// The hosts of guests to which requests went.
  var guestRequests: [String] {
    stub.transport.requests.compactMap(\.head.authority).filter { $0.hasSuffix("example.com") }
  }

  private nonisolated static func answer(_ request: TransportRequest, _ stub: SalesforceStub) -> TransportResponse {
    if request.head.authority?.hasSuffix("example.com") == true { return .json(["guest": true], status: .created) }
    let token = request.head.headerFields[.authorization].map { String($0.dropFirst("Bearer ".count)) } ?? ""
    let subject = JSONValue(json: request.body ?? Data())?["Subject"]?.string ?? ""
    return stub.state.withLock { state in
      guard let person = state.accessTokens[token] else { return SalesforceStub.failure("INVALID_SESSION_ID") }
      state.cases[subject, default: []].append(person)
      return .json(["id": "500x00000000001", "success": true], status: .created)
    }
  }

  func settings(_ person: SalesforceStub.Person) throws -> SCSAuthenticationSettings {
    let members = stub.issue(person)
    return try #require(
      SCSAuthenticationSettings(
        oauth2: Dictionary(uniqueKeysWithValues: members.map { (SCSOAuth2JSONKey(rawValue: $0.key), $0.value) }),
        clientId: "app", environment: Self.environment(stub)))
  }

  func settings(after change: MomentTests.Change) throws -> SCSAuthenticationSettings? {
    switch change {
    case .guest: SCSAuthenticationSettings(guest: URL(string: "https://guests.example.com"))
    case .ben: try settings(.bob)
    case .nothing: nil
    }
  }

  func set(_ settings: SCSAuthenticationSettings?) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      cloud.setAuthenticationSettings(settings, forServiceType: .cases) { _, error in
        continuation.resume(with: error.map { .failure($0) } ?? .success(()))
      }
    }
  }

  /// Files a case. The request is made when this returns.
  func post(_ subject: String, awaits: Bool) -> Task<ServiceResponse, any Error> {
    let body = Data(#"{"Subject":"\#(subject)"}"#.utf8)
    if awaits {
      return startAtOnce { [cloud] in
        try await cloud.request("POST", path: MomentTests.cases, body: body, forServiceType: .cases)
      }
    }
    let outcome = SharedWork<ServiceResponse>()
    cloud.request("POST", path: MomentTests.cases, body: body, forServiceType: .cases) { response, error in
      let failure = error ?? OstiaryError(.internalError, "Neither a response nor an error.")
      outcome.finish(response.map { .success($0) } ?? .failure(failure))
    }
    return Task { try await outcome.value() }
  }
}
