import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

@Suite("Devices without a browser", .timeLimit(.minutes(20)))
struct DeviceTests {
  /// What the server answers, one after the other; then it gives tokens.
  private func stub(_ answers: [String]) -> OAuthStub {
    let stub = OAuthStub()
    stub.transport.on(.post, "/device") { _ in
      .json([
        "device_code": "dev+1", "user_code": "ABCD-1234", "verification_uri": "https://as.test/device",
        "verification_uri_complete": "https://as.test/device?c=ABCD-1234", "expires_in": 600, "interval": 5,
      ])
    }
    let rest = Locked(answers[...])
    stub.answer { _ in
      guard let next = rest.withLock({ $0.popFirst() }) else { return nil }
      return next == "503" ? .status(.serviceUnavailable) : .json(["error": .string(next)], status: .badRequest)
    }
    return stub
  }

  /// Polls, and moves the clock on each time by what was expected.
  private func poll(_ stub: OAuthStub, _ waits: [Int]) async throws -> TokenSet {
    let client = try stub.client()
    let device = try await client.authorizeDevice(scope: "a", in: stub.context)
    let work = Task { try await client.tokens(for: device, in: stub.context) }
    for (number, wait) in waits.enumerated() {
      try await stub.clock.waitForSleepers()
      // A second less is too soon.
      stub.clock.advance(by: .seconds(wait - 1))
      #expect(stub.clock.sleepers == 1)
      #expect(stub.transport.count(.post, "/token") == number)
      stub.clock.advance(by: .seconds(1))
      try await stub.transport.waitForRequests(number + 1, to: .post, "/token")
    }
    return try await work.value
  }

  @Test("OAuth-O19: pending, slow_down (+5 s), then tokens")
  func success() async throws {
    let stub = stub(["authorization_pending", "slow_down", "authorization_pending"])
    let tokens = try await poll(stub, [5, 5, 10, 10])
    #expect(tokens.accessToken.reveal() == "access-1")
    let form = try #require(stub.transport.requests.last?.form)
    #expect(form["grant_type"] == "urn:ietf:params:oauth:grant-type:device_code")
    #expect(form["device_code"] == "dev+1")
    #expect(form["client_id"] == "app")
  }

  @Test("OAuth-O19: a failure of the server only makes it wait longer (RFC 8628 §3.5)")
  func failing() async throws {
    #expect(try await poll(stub(["503", "503"]), [5, 10, 20]).accessToken.reveal() == "access-1")
  }

  @Test(
    "OAuth-O19: denied and expired end it",
    arguments: [
      ("access_denied", OstiaryError.Code.interactionCancelled), ("expired_token", .deviceCodeExpired),
    ])
  func ended(_ answer: String, _ code: OstiaryError.Code) async throws {
    let stub = stub(["authorization_pending", answer])
    let error = await failure { try await poll(stub, [5, 5]) }
    #expect(error?.code == code)
    #expect(error?.disposition == .terminal)
  }

  @Test(
    "Bug-F32: codes that live no longer than the interval are asked about, and their end is the end", arguments: [4, 5])
  func expiry(_ lifetime: Int) async throws {
    for isEntered in [true, false] {
      let stub = stub(isEntered ? [] : ["authorization_pending", "authorization_pending"])
      let client = try stub.client()
      let device = DeviceAuthorization(
        deviceCode: "d", userCode: "u", verificationURI: OAuthStub.url("/device"),
        expiresAt: stub.clock.now.addingTimeInterval(TimeInterval(lifetime)))
      let work = Task { try await client.tokens(for: device, in: stub.context) }
      try await stub.clock.waitForSleepers()
      stub.clock.advance(by: .seconds(lifetime))
      guard !isEntered else {
        #expect(try await work.value.accessToken.reveal() == "access-1")
        continue
      }
      #expect(await failure { try await work.value }?.code == .deviceCodeExpired)
      #expect(stub.transport.count(.post, "/token") == 1)
    }
  }

  @Test(
    "Bug-F32: codes that live less than two intervals are asked about when the first has passed, not before",
    arguments: [6, 8, 9])
  func shortLived(_ lifetime: Int) async throws {
    let stub = stub(["authorization_pending"])
    let client = try stub.client()
    let device = DeviceAuthorization(
      deviceCode: "d", userCode: "u", verificationURI: OAuthStub.url("/device"),
      expiresAt: stub.clock.now.addingTimeInterval(TimeInterval(lifetime)))
    let work = Task { try await client.tokens(for: device, in: stub.context) }
    for number in 0...1 {
      try await stub.clock.waitForSleepers()
      // A second less is too soon (RFC 8628 §3.5).
      stub.clock.advance(by: .seconds(4))
      #expect(stub.clock.sleepers == 1)
      #expect(stub.transport.count(.post, "/token") == number)
      stub.clock.advance(by: .seconds(1))
      try await stub.transport.waitForRequests(number + 1, to: .post, "/token")
    }
    // By this clock the codes are over. That is the server's word to say.
    #expect(try await work.value.accessToken.reveal() == "access-1")
  }

  @Test(
    "Bug-F32: a lifetime of days is one, and what is none is ten minutes",
    arguments: [
      (172_800, 172_800), (86_400, 86_400), (.string("172800"), 172_800), (0, 600), (-5, 600), (.null, 600),
      ("soon", 600), (.number(1e300), 1e9),
    ] as [(JSONValue, TimeInterval)])
  func lifetimes(_ written: JSONValue, _ seconds: TimeInterval) async throws {
    let stub = OAuthStub()
    stub.transport.on(.post, "/device") { _ in
      .json([
        "device_code": "d", "user_code": "u", "verification_uri": "https://as.test/", "expires_in": written,
      ])
    }
    let device = try await stub.client().authorizeDevice(in: stub.context)
    #expect(device.expiresAt == stub.clock.now.addingTimeInterval(seconds))
  }

  @Test("Bug-F32: a clock that is set forward or back ends no waiting and prolongs none", arguments: [86_400, -86_400])
  func clockSet(_ seconds: TimeInterval) async throws {
    let stub = stub(["authorization_pending", "authorization_pending"])
    let client = try stub.client()
    let device = try await client.authorizeDevice(in: stub.context)
    stub.clock.set(to: stub.clock.now.addingTimeInterval(seconds))
    let work = Task { try await client.tokens(for: device, in: stub.context) }
    for number in 1...3 {
      try await stub.clock.waitForSleepers()
      stub.clock.advance(by: .seconds(5))
      try await stub.transport.waitForRequests(number, to: .post, "/token")
      stub.clock.set(to: stub.clock.now.addingTimeInterval(seconds))
    }
    #expect(try await work.value.accessToken.reveal() == "access-1")

    let late = self.stub(Array(repeating: "authorization_pending", count: 200))
    let lateDevice = try await late.client().authorizeDevice(in: late.context)
    late.clock.set(to: late.clock.now.addingTimeInterval(seconds))
    late.clock.advance(by: .seconds(600))
    let error = Locked<OstiaryError??>(.none)
    let over = Task {
      let outcome = await failure { try await late.client().tokens(for: lateDevice, in: late.context) }
      error.withLock { $0 = .some(outcome) }
    }
    // It asks once and ends; it would sleep otherwise.
    try await waitUntil { error.withLock { $0 != nil } || late.clock.sleepers > 0 }
    over.cancel()
    await over.value
    #expect(error.withLock { $0 }??.code == .deviceCodeExpired)
    #expect(late.transport.count(.post, "/token") == 1)
  }

  @Test("A server that wants to be left alone for longer than the codes live is asked once more when they end")
  func leftAlone() async throws {
    let stub = stub([])
    stub.transport.inject(
      .status(.serviceUnavailable, headerFields: [.retryAfter: "7200"]), into: .post("/token"), at: .nth(1))
    let client = try stub.client()
    let device = try await client.authorizeDevice(in: stub.context)
    let work = Task { try await client.tokens(for: device, in: stub.context) }
    try await stub.clock.waitForSleepers()
    stub.clock.advance(by: .seconds(5))
    try await stub.transport.waitForRequests(1, to: .post, "/token")
    try await stub.clock.waitForSleepers()
    stub.clock.advance(by: .seconds(595))
    #expect(try await work.value.accessToken.reveal() == "access-1")
  }

  @Test("OAuth-O19: cancelling ends the waiting")
  func cancelled() async throws {
    let stub = stub([])
    let client = try stub.client()
    let device = try await client.authorizeDevice(in: stub.context)
    let work = Task { try await client.tokens(for: device, in: stub.context) }
    try await stub.clock.waitForSleepers()
    work.cancel()
    await #expect(throws: CancellationError.self) { try await work.value }
  }

  @Test("A session manager shows the code and waits")
  func manager() async throws {
    let stub = stub([])
    let shown = Locked<[String]>([])
    let manager = try stub.manager(flow: .device { device in shown.withLock { $0.append(device.userCode) } })
    let work = Task { try await manager.session() }
    try await stub.clock.waitForSleepers()
    stub.clock.advance(by: .seconds(5))
    #expect(try await work.value.proof.tokens["access_token"]?.reveal() == "access-1")
    #expect(shown.withLock { $0 } == ["ABCD-1234"])
  }

  @Test(
    "An answer without what a device needs, or with a page that is none, is refused",
    arguments: [
      ["device_code": "d", "user_code": "u"], ["device_code": "d", "verification_uri": "https://as.test/"],
      ["device_code": "d", "user_code": "u", "verification_uri": "javascript:alert(1)"],
    ] as [[String: JSONValue]])
  func incomplete(_ members: [String: JSONValue]) async throws {
    let stub = OAuthStub()
    stub.transport.on(.post, "/device") { _ in .json(members) }
    let client = try stub.client()
    #expect(await failure { try await client.authorizeDevice(in: stub.context) }?.code == .unexpectedResponse)
  }
}
