import Foundation
import HTTPTypes
import IBMMobileFirstPlatformFoundation
import Ostiary
import OstiaryTesting
import TestSupport
import Testing

/// A store in which the removal of the entries of one host waits until the test lets it go on.
private final class SlowRemoval: SessionStore {
  private let inner = EphemeralStore()
  private let host: String
  private let gate: Gate

  init(of host: String, until gate: Gate) { (self.host, self.gate) = (host, gate) }

  func load(_ key: SessionKey) async -> StoreReading { await inner.load(key) }
  func save(_ data: Data, for key: SessionKey, replacing expected: StoreExpectation) async throws {
    try await inner.save(data, for: key, replacing: expected)
  }
  func remove(_ key: SessionKey, ifHolding expected: StoreExpectation) async throws {
    if key.name.contains(host) { try await gate.pass() }
    try await inner.remove(key, ifHolding: expected)
  }
  func accounts() async throws -> [SessionKey] { try await inner.accounts() }
  func removeAll() async throws { try await inner.removeAll() }
  func withExclusiveAccess<Result: Sendable>(
    to key: SessionKey, patience: Duration, _ body: @Sendable () async throws -> Result
  ) async throws -> Result { try await inner.withExclusiveAccess(to: key, patience: patience, body) }
}

@Suite("setServerUrl: the cookies of the server before are gone", .timeLimit(.minutes(20)))
struct ServerChangeTests {
  private let a = URL(string: "http://a.test/mfp")
  private let b = URL(string: "http://b.test/mfp")

  /// Every response sets a cookie that lasts, and tells which came.
  private func world(_ store: (any SessionStore)?, at url: URL?) -> World {
    let transport = ScriptedTransport { request in
      let body = Data((request.head.headerFields[.cookie] ?? "none").utf8)
      let fields: HTTPFields = [.setCookie: "s=\(request.head.authority ?? ""); Path=/; Max-Age=3600"]
      return TransportResponse(HTTPResponse(status: .ok, headerFields: fields), body: body)
    }
    let world = World(url, transport: transport)
    if let store { world.client.keepPersistentCookies(in: store) }
    return world
  }

  @Test(
    "Bug-D15 setServerUrl: requests to the new server do not wait for the removal of the old one's cookies",
    .timeLimit(.minutes(5)))
  func hangingRemoval() async throws {
    let gate = Gate()
    // A request that waits all the same goes on when the time limit ends the test.
    try await withTaskCancellationHandler {
      try await changeServers(gate)
    } onCancel: {
      gate.open()
    }
  }

  private func changeServers(_ gate: Gate) async throws {
    let world = world(SlowRemoval(of: "a.test", until: gate), at: a)
    #expect(await world.fetch("x").text == "none")
    world.client.setServerUrl(b)
    try await gate.waitForWaiting()
    #expect(await world.fetch("x").text == "none")
    #expect(await world.fetch("x").text == "s=b.test")
    // Back at the first server, requests wait for its own removal.
    world.client.setServerUrl(a)
    async let back = world.fetch("x")
    gate.open()
    #expect(await back.text == "none")
  }

  @Test("Bug-D15 setServerUrl: A, B and A again: cookies of an earlier run that were dropped unread do not come back")
  func thereAndBack() async throws {
    let store = EphemeralStore()
    #expect(await world(store, at: a).fetch("x").text == "none")
    let world = world(store, at: a)
    world.client.setServerUrl(b)
    world.client.setServerUrl(a)
    #expect(await world.fetch("x").text == "none")
    #expect(await world.fetch("x").text == "s=a.test")
  }

  @Test("Bug-D15 setServerUrl: the same where the store is set after the change")
  func lateStore() async throws {
    let store = EphemeralStore()
    #expect(await world(store, at: a).fetch("x").text == "none")
    let world = world(nil, at: a)
    world.client.setServerUrl(b)
    world.client.setServerUrl(a)
    world.client.keepPersistentCookies(in: store)
    #expect(await world.fetch("x").text == "none")
  }

  @Test("Bug-D15 setServerUrl: setting the address at each start, also in another spelling, keeps the cookies at rest")
  func sameServer() async throws {
    let store = EphemeralStore()
    #expect(await world(store, at: a).fetch("x").text == "none")
    for start in [nil, a, URL(string: "http://a.test:80/mfp/api/")] {
      let world = world(store, at: start)
      world.client.setServerUrl(a)
      #expect(await world.fetch("x").text == "s=a.test")
    }
  }

  @Test("Bug-D15 setServerUrl: A, B and A again in one run, the store locked in between")
  func lockedInBetween() async throws {
    let store = FaultyStore()
    let world = world(store, at: a)
    #expect(await world.fetch("x").text == "none")
    store.lock()
    world.client.setServerUrl(b)
    world.client.setServerUrl(a)
    #expect(await world.fetch("x").isFailure)
    store.unlock()
    #expect(await world.fetch("x").text == "none")
    #expect(await world.fetch("x").text == "s=a.test")
  }
}
