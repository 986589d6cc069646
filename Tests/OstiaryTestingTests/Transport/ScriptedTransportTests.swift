import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@Suite struct ScriptedTransportTests {
  private let acted = Locked(0)

  /// A transport whose server counts how often it acted and answers ten bytes.
  private func transport(clock: any SessionClock = .system, checkpoint: Checkpoint? = nil) -> ScriptedTransport {
    ScriptedTransport(
      clock: clock,
      handler: { [acted] _ in
        acted.withLock { $0 += 1 }
        return TransportResponse(HTTPResponse(status: .ok), body: Data("0123456789".utf8))
      },
      checkpoint: checkpoint)
  }

  private func get(_ path: String = "/", limit: Int = 1000) throws -> TransportRequest {
    let url = try #require(URL(string: "https://example.org" + path))
    return TransportRequest(try HTTPRequest(to: url), responseBodyLimit: limit)
  }

  @Test("The documentation's example: a trailing closure is the handler")
  func documentation() async throws {
    let transport = ScriptedTransport { _ in .json(["hello": "world"]) }
    transport.on(.post, "/renew") { _ in .status(.serviceUnavailable) }
    transport.inject(.dropAfterServerActed, into: .post("/sign-in"), at: .nth(1))
    #expect(try await transport.send(get("/greeting")).text == #"{"hello":"world"}"#)
    let renewal = try #require(URL(string: "https://example.org/renew"))
    let refused = try await transport.send(.post(renewal, body: Data(), contentType: "text/plain"))
    #expect(refused.status == .serviceUnavailable)
    let signIn = try #require(URL(string: "https://example.org/sign-in"))
    let request = try TransportRequest.post(signIn, body: Data(), contentType: "text/plain")
    await #expect(throws: OstiaryError(.connectionLost, "")) { try await transport.send(request) }
    #expect(try await transport.send(request).text == #"{"hello":"world"}"#)
  }

  @Test("Behind the handler, a second trailing closure is the checkpoint")
  func trailingCheckpoint() async throws {
    let passed = Locked<[String]>([])
    let transport = ScriptedTransport { _ in
      .status(.ok)
    } checkpoint: { place in
      passed.withLock { $0.append(place) }
    }
    #expect(try await transport.send(get("/x")).status == .ok)
    #expect(passed.withLock { $0 } == ["GET /x sent", "GET /x answered"])
  }

  @Test("Routes answer by method and path, the rest is for the fallback; everything is counted and kept")
  func routes() async throws {
    let transport = transport()
    transport.on(.post, "/in") { .json(["length": .integer(Int64($0.body?.count ?? 0))]) }
    #expect(try await transport.send(get("/in")).text == "0123456789")
    let url = try #require(URL(string: "https://example.org/in?next=1"))
    let response = try await transport.send(.post(url, body: Data("abc".utf8), contentType: "text/plain"))
    #expect(response.text == #"{"length":3}"#)
    #expect(response.url == url)
    #expect(transport.count == 2)
    #expect(transport.count(.post, "/in") == 1)
    #expect(transport.count(.get, "/in") == 1)
    #expect(transport.requests.map(\.body) == [nil, Data("abc".utf8)])
    try await transport.waitForRequests(2)
    try await transport.waitForRequests(1, to: .post, "/in")
  }

  @Test(
    "Faults on the way to the server keep it from acting",
    arguments: [
      (Fault.refuseConnection, OstiaryError.Code.cannotConnect, false),
      (.dropBeforeServerActs, .connectionLost, true),
    ])
  func onTheWay(fault: Fault, code: OstiaryError.Code, mayHaveExecuted: Bool) async throws {
    let transport = transport()
    transport.inject(fault)
    let error = await #expect(throws: OstiaryError.self) { try await transport.send(get()) }
    #expect(error?.code == code)
    #expect(error?.requestMayHaveExecuted == mayHaveExecuted)
    #expect(acted.withLock { $0 } == 0)
    #expect(transport.count == 1)
  }

  @Test(
    "Faults on the way back come after the server has acted",
    arguments: [
      (Fault.dropAfterServerActed, OstiaryError.Code.connectionLost),
      (.reset, .connectionLost),
      (.truncate(at: 4), .connectionLost),
      (.garbage, .malformedResponse),
      (.announce(bytes: 1 << 30), .responseTooLarge),
      (.endless, .responseTooLarge),
    ])
  func onTheWayBack(fault: Fault, code: OstiaryError.Code) async throws {
    let transport = transport()
    transport.inject(fault)
    let error = await #expect(throws: OstiaryError.self) { try await transport.send(get()) }
    #expect(error?.code == code)
    #expect(error?.requestMayHaveExecuted == true)
    #expect(acted.withLock { $0 } == 1)
  }

  @Test("A truncated stream gives the bytes before the break")
  func truncatedStream() async throws {
    let transport = transport()
    transport.inject(.truncate(at: 4))
    let response = try await transport.stream(get())
    var received = Data()
    await #expect(throws: OstiaryError(.connectionLost, "")) {
      for try await piece in response.body { received += piece }
    }
    #expect(received == Data("0123".utf8))
  }

  @Test("Garbled bodies keep their length and depend on the seed alone")
  func garbled() async throws {
    let transport = transport()
    transport.inject(.garble(seed: 7))
    let first = try await transport.send(get()).body
    #expect(first.count == 10)
    #expect(first != Data("0123456789".utf8))
    #expect(try await transport.send(get()).body == first)
  }

  @Test("Somebody in between can answer, redirect or show a page, and the server has not acted")
  func inBetween() async throws {
    let transport = transport()
    transport.inject(.status(.serviceUnavailable, headerFields: [.retryAfter: "3"]), at: .nth(1))
    transport.inject(.redirect(to: "https://portal.example/"), at: .nth(2))
    transport.inject(.page("<form>"), at: .nth(3))
    #expect(try await transport.send(get()).status == .serviceUnavailable)
    #expect(try await transport.send(get()).head.headerFields[.location] == "https://portal.example/")
    #expect(try await transport.send(get()).mediaType == "text/html")
    #expect(acted.withLock { $0 } == 0)
    #expect(try await transport.send(get()).text == "0123456789")
  }

  @Test("Delays and time-outs go by the given clock")
  func delays() async throws {
    let clock = ManualClock()
    let transport = transport(clock: clock)
    transport.inject(.delay(.seconds(5)), at: .nth(1))
    transport.inject(.hang, at: .nth(2))
    transport.inject(.delay(.seconds(60)), at: .nth(3))
    let slow = Task { try await transport.send(get()).text }
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(5))
    #expect(try await slow.value == "0123456789")
    for _ in 0..<2 {
      let late = Task { try await transport.send(get()) }
      try await clock.waitForSleepers()
      clock.advance(by: .seconds(30))
      await #expect(throws: OstiaryError(.timedOut, "")) { try await late.value }
    }
    #expect(acted.withLock { $0 } == 1)
  }

  @Test("Gates hold requests before, responses after the server has acted; cancelling gets out")
  func gates() async throws {
    let transport = transport()
    let before = Gate()
    let after = Gate()
    transport.inject(.hold(before), into: .get("/before"))
    transport.inject(.holdResponse(after), into: .get("/after"))
    let held = Task { try await transport.send(get("/before")).text }
    try await before.waitForWaiting()
    #expect(acted.withLock { $0 } == 0)
    before.open()
    #expect(try await held.value == "0123456789")
    let answered = Task { try await transport.send(get("/after")) }
    try await after.waitForWaiting()
    #expect(acted.withLock { $0 } == 2)
    answered.cancel()
    await #expect(throws: CancellationError.self) { try await answered.value }
  }

  @Test("Checkpoints are passed before and after the server acts")
  func checkpoints() async throws {
    let passed = Locked<[String]>([])
    let transport = transport(checkpoint: { [acted] place in
      passed.withLock { $0.append("\(place) \(acted.withLock { $0 })") }
    })
    _ = try await transport.send(get("/x?y"))
    #expect(passed.withLock { $0 } == ["GET /x sent 0", "GET /x answered 1"])
  }

  @Test("A request without scheme or host is refused unseen")
  func invalidRequest() async throws {
    let transport = transport()
    let head = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/")
    let error = await #expect(throws: OstiaryError.self) { try await transport.send(TransportRequest(head)) }
    #expect(error?.code == .invalidRequest)
    #expect(transport.count == 0)
  }

  @Test("Ten thousand callers are served and counted; every third, chosen by number, is dropped")
  func many() async throws {
    let transport = transport()
    for number in stride(from: 3, through: 10_000, by: 3) where number <= 300 {
      transport.inject(.dropBeforeServerActs, at: .nth(number))
    }
    let request = try get()
    let failures = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<10_000 { group.addTask { (try? await transport.send(request)) == nil } }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(failures == 100)
    #expect(transport.count == 10_000)
    #expect(acted.withLock { $0 } == 9_900)
  }
}

@Suite struct OccurrenceTests {
  @Test("Occurrences are counted from one")
  func counting() {
    let chosen: (Occurrence) -> [Int] = { occurrence in (1...5).filter { occurrence.includes($0) } }
    #expect(chosen(.every) == [1, 2, 3, 4, 5])
    #expect(chosen(.nth(2)) == [2])
    #expect(chosen(.first(2)) == [1, 2])
    #expect(chosen(.after(2)) == [3, 4, 5])
  }

  @Test("Random occurrences depend on the seed alone and keep to their probability")
  func random() {
    let chosen: (UInt64) -> [Int] = { seed in (1...1000).filter { Occurrence.randomly(0.3, seed: seed).includes($0) } }
    #expect(chosen(1) == chosen(1))
    #expect(chosen(1) != chosen(2))
    #expect((250...350).contains(chosen(1).count))
    #expect((1...100).allSatisfy { !Occurrence.randomly(0, seed: 1).includes($0) })
    #expect((1...100).allSatisfy { Occurrence.randomly(1, seed: 1).includes($0) })
  }
}
