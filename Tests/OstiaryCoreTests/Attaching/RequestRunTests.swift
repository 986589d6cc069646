import Foundation
import HTTPTypes
import OstiaryTesting
import Testing

@testable import OstiaryCore

@Suite("A request on its way, as a value")
struct RequestRunTests {
  private let first = ProofVersion()
  private let ok = HTTPResponse(status: .ok)

  private func run(
    _ method: HTTPRequest.Method = .get, _ change: (inout TransportRequest) -> Void = { _ in },
    rules: RequestRun.Rules = RequestRun.Rules()
  ) -> RequestRun {
    var request = ManagerFixture.request(method: method)
    change(&request)
    return RequestRun(request, rules)
  }

  private func redirect(_ status: HTTPResponse.Status, to location: String) -> HTTPResponse {
    HTTPResponse(status: status, headerFields: [.location: location])
  }

  private func code(_ work: () throws -> Void) -> OstiaryError.Code? {
    do {
      try work()
      return nil
    } catch {
      return (error as? OstiaryError)?.code
    }
  }

  /// The answer refuses what the request carries.
  private func refuse(_ run: inout RequestRun, mayHaveExecuted: Bool = false) throws -> RequestRun.Carried? {
    let next = try run.judged(
      .rejected(reason: "no", mayHaveExecuted: mayHaveExecuted), HTTPResponse(status: .unauthorized))
    guard case .signIn(let recognition, let shown) = next else { return nil }
    #expect(recognition == Recognition("no", mayHaveExecuted: mayHaveExecuted))
    return shown
  }

  // MARK: Answers

  @Test("An answer that the session accepts, or that is not its business, is the app's")
  func delivered() throws {
    for verdict in [nil, Verdict.accepted, .insufficient(reason: "step up")] {
      var run = run()
      run.attached(verdict == nil ? nil : .init(version: first))
      guard case .deliver = try run.judged(verdict, ok) else {
        Issue.record("\(String(describing: verdict)) was not delivered")
        continue
      }
    }
  }

  @Test("What a party in between answered is an error, whatever the request carried")
  func obstructed() {
    var run = run()
    run.attached(.init(version: first))
    let portal = OstiaryError(.captivePortal, "A wireless network answered.")
    #expect(code { _ = try run.judged(.obstructed(portal), ok) } == .captivePortal)
  }

  @Test("After a new session the request is sent again as the app made it")
  func again() throws {
    var run = run(.post) { $0.body = Data("payload".utf8) }
    run.attached(.init(version: first, failedSignIns: 7))
    #expect(try refuse(&run) == .init(version: first, failedSignIns: 7))
    try run.signedIn()
    #expect(run.carried == nil)
    #expect(run.shown == nil)
    #expect(run.request.body == Data("payload".utf8))
    #expect(run.request.head == run.original.head)
  }

  @Test("When a handler says that it is no challenge, the app gets the answer; every other error is the app's")
  func noChallenge() {
    let run = run()
    #expect(code { try run.signInFailed(OstiaryError(.notChallenged, "Not mine.")) } == nil)
    #expect(code { try run.signInFailed(OstiaryError(.interactionRequired, "Sign in.")) } == .interactionRequired)
    #expect(throws: CancellationError.self) { try run.signInFailed(CancellationError()) }
  }

  // MARK: Limits

  @Test("A request with a session is sent again as often as the rules say", arguments: [0, 1, 4])
  func replays(limit: Int) throws {
    var run = run(rules: .init(maximumReplays: limit))
    for _ in 0..<limit {
      run.attached(.init(version: first))
      #expect(try refuse(&run) != nil)
      try run.signedIn()
    }
    run.attached(.init(version: first))
    #expect(code { _ = try refuse(&run) } == .challengedAgain)
  }

  @Test(
    "A request that was challenged without a session may be sent again twice, unless never", arguments: [0, 1, 2, 4])
  func bare(limit: Int) throws {
    var run = run(rules: .init(maximumReplays: limit))
    run.attached(.init(failedSignIns: 3))
    var sentAgain = 0
    while code({ _ = try refuse(&run) }) == nil {
      try run.signedIn()
      sentAgain += 1
      run.attached(.init(version: first))
    }
    #expect(sentAgain == (limit == 0 ? 0 : max(limit, 2)))
  }

  // MARK: Replay

  @Test(
    "A request that may have been executed is sent again only where that is safe",
    arguments: [HTTPRequest.Method.get, .put, .delete, .post, .patch], [ReplayPolicy.ifSafe, .always, .never])
  func replaySafety(method: HTTPRequest.Method, policy: ReplayPolicy) throws {
    for mayHaveExecuted in [false, true] {
      var run = run(method) { $0.replay = policy }
      run.attached(.init(version: first))
      _ = try refuse(&run, mayHaveExecuted: mayHaveExecuted)
      let isSafe =
        policy == .always || (policy == .ifSafe && (!mayHaveExecuted || [.get, .put, .delete].contains(method)))
      #expect(code { try run.signedIn() } == (isSafe ? nil : .replayUnsafe))
    }
  }

  @Test("A body that can't be read a second time is never sent again, by a new session or by newer proof")
  func unrepeatable() throws {
    var run = run(.put) { $0.replay = .never }
    run.attached(.init(version: first))
    #expect(code { _ = try run.reviewed(.again([]), of: run.request) } == .replayUnsafe)
    #expect(try refuse(&run) != nil, "the session is renewed all the same, for the next request")
    #expect(code { try run.signedIn() } == .replayUnsafe)
  }

  // MARK: Redirects

  @Test(
    "A redirect is followed with the proof of its own address, and the original request is repeated after a refusal")
  func redirected() throws {
    var run = run()
    run.attached(.init(version: first))
    #expect(!run.request.layerContext.isRedirected)
    guard case .send = try run.judged(.accepted, redirect(.found, to: "/there")) else {
      Issue.record("not followed")
      return
    }
    #expect(run.request.head.path == "/there")
    #expect(run.request.layerContext.isRedirected)
    #expect(!run.challenged.layerContext.isRedirected)
    run.attached(.init(version: first))
    _ = try refuse(&run)
    try run.signedIn()
    #expect(run.request.head.path == "/things")
    #expect(!run.request.layerContext.isRedirected)
  }

  @Test("A refusal after a redirect is a word about the proof that was redirected, not about a newer one")
  func stale() throws {
    var run = run()
    run.attached(.init(version: first, failedSignIns: 1))
    _ = try run.judged(.accepted, redirect(.found, to: "/login"))
    run.attached(.init(version: first.next, failedSignIns: 2))
    #expect(run.shown == first)
    #expect(run.carried?.version == first.next)
    #expect(try refuse(&run) == .init(version: first, failedSignIns: 1))
  }

  @Test("Proof that was attached only after a redirect is the one that is refused")
  func laterProof() throws {
    var run = run()
    run.attached(nil)
    _ = try run.judged(nil, redirect(.found, to: "/there"))
    run.attached(.init(version: first))
    #expect(try refuse(&run) == .init(version: first))
  }

  @Test("A POST that was redirected as a GET was acted on; one that was redirected as it is was not")
  func actedOn() throws {
    for (status, expected) in [
      (HTTPResponse.Status.seeOther, OstiaryError.Code.replayUnsafe), (.temporaryRedirect, nil),
    ] {
      var run = run(.post)
      run.attached(.init(version: first))
      _ = try run.judged(.accepted, redirect(status, to: "/there"))
      run.attached(.init(version: first))
      _ = try refuse(&run)
      #expect(code { try run.signedIn() } == expected)
    }
  }

  @Test("Redirects end at the policy's limit, and count from nothing when the request is sent again")
  func redirectLimit() throws {
    var policy = RedirectPolicy()
    policy.limit = 2
    var run = run(rules: .init(redirects: policy))
    for _ in 0..<2 {
      run.attached(.init(version: first))
      _ = try run.judged(.accepted, redirect(.found, to: "/there"))
    }
    run.attached(.init(version: first))
    #expect(code { _ = try run.judged(.accepted, redirect(.found, to: "/there")) } == .tooManyRedirects)
    _ = try refuse(&run)
    try run.signedIn()
    #expect(code { _ = try run.judged(.accepted, redirect(.found, to: "/there")) } == nil)
  }

  @Test("Redirects of a layer's request are left to the layer")
  func layer() throws {
    var run = run { $0.layerContext.isFromLayer = true }
    run.attached(.init(version: first))
    guard case .deliver = try run.judged(.accepted, redirect(.found, to: "/there")) else {
      Issue.record("followed")
      return
    }
  }

  // MARK: Proof for each request

  @Test("Newer proof is sent as often as the rules say, and counts anew for the next address", arguments: [0, 1, 3])
  func proofRepetitions(limit: Int) throws {
    var run = run(rules: .init(maximumProofRepetitions: limit))
    for _ in 0..<2 {
      run.attached(.init(version: first))
      for repetition in 0..<limit {
        #expect(run.proofRepetitions == repetition)
        #expect(try run.reviewed(.again([]), of: run.request) == .sendAgain)
      }
      #expect(code { _ = try run.reviewed(.againWithout([]), of: run.request) } == .challengedAgain)
      _ = try run.judged(.accepted, redirect(.found, to: "/there"))
    }
  }

  @Test("What proof decides is the verdict; where it doesn't, the authenticator decides; what it disbelieves fails")
  func reviews() throws {
    var run = run()
    run.attached(.init(version: first))
    #expect(try run.reviewed(.undecided, of: run.request) == .judge(nil))
    #expect(try run.reviewed(.decided(.accepted), of: run.request) == .judge(.accepted))
    do {
      _ = try run.reviewed(.failed(OstiaryError(.unexpectedResponse, "Not the server's.")), of: run.request)
      Issue.record("believed")
    } catch let error as OstiaryError {
      #expect(error.code == .unexpectedResponse)
      #expect(error.host == "scripted.example")
    }
  }

  // MARK: Persons and users

  @Test("A request that ends a session above asks no person to sign in first")
  func endsSession() throws {
    for (mayAsk, expected) in [(true, OstiaryError.Code.interactionRequired), (false, nil)] {
      var run = run({ $0.layerContext.endsSession = true }, rules: .init(mayAsk: mayAsk))
      #expect(code { try run.needsSession() } == expected)
      run.attached(.init(version: first))
      #expect(code { _ = try refuse(&run) } == expected)
    }
    #expect(code { try run(rules: .init(mayAsk: true)).needsSession() } == nil)
  }

  @Test("Invariant 16: a request that was made for one user is never sent as another")
  func otherUser() throws {
    var run = run()
    let ann = RequestOwner(user: "ann", signOuts: 1)
    try run.found(ann)
    run.attached(.init(version: first))
    _ = try refuse(&run)
    try run.signedIn()
    #expect(code { try run.found(RequestOwner(user: "ben", signOuts: 1)) } == .signedOut)
    #expect(code { try run.found(RequestOwner(user: "ann", signOuts: 2)) } == .signedOut)
    #expect(code { try run.found(ann) } == nil)
  }

  private func run(_ change: (inout TransportRequest) -> Void, rules: RequestRun.Rules = .init()) -> RequestRun {
    run(.get, change, rules: rules)
  }
}
