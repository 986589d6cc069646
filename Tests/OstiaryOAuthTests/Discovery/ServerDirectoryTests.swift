import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

@Suite("A directory of servers", .timeLimit(.minutes(20)))
struct ServerDirectoryTests {
  private let issuer = DocumentServer.issuer

  @Test("FIND-11: a hundred callers, one fetch; a cancelled one disturbs no other")
  func oneFlight() async throws {
    let server = DocumentServer()
    server.publish()
    let gate = Gate()
    server.transport.inject(.hold(gate))
    let first = startAtOnce { [issuer] in try await server.directory.metadata(of: issuer) }
    try await gate.waitForArrivals(1)
    let others = (0..<99).map { _ in startAtOnce { [issuer] in try await server.directory.metadata(of: issuer) } }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    gate.open()
    for other in others { #expect(try await other.value.issuer == issuer) }
    #expect(server.transport.count == 1)
    #expect(
      server.directory.knownMetadata(of: issuer) != nil && server.directory.knownMetadata(of: issuer + "/") == nil)
  }

  @Test(
    "FIND-12: a document is fresh as the server says, 5 minutes at least and 24 hours at most",
    arguments: [
      ("max-age=0", 300), ("no-store", 300), ("no-cache, max-age=7200", 300), ("max-age=1200", 1200),
      ("public, MAX-AGE=\"1200\"", 1200), ("max-age=31536000, immutable", 86_400), ("s-maxage=5", 3600), (nil, 3600),
    ] as [(String?, Int)])
  func freshness(_ control: String?, _ seconds: Int) async throws {
    let server = DocumentServer()
    var fields: HTTPFields = [:]
    fields[.cacheControl] = control
    server.publish(headerFields: fields)
    _ = try await server.directory.metadata(of: issuer)
    server.clock.advance(by: .seconds(seconds - 1))
    _ = try await server.directory.metadata(of: issuer)
    #expect(server.transport.count == 1)
    server.clock.advance(by: .seconds(1))
    _ = try await server.directory.metadata(of: issuer)
    #expect(server.transport.count == 2)
  }

  @Test("FIND-12: a document is asked about with its ETag, at the address at which it was")
  func tags() async throws {
    let server = DocumentServer()
    server.publish(headerFields: [.eTag: "\"one\"", .cacheControl: "max-age=600"], at: DocumentServer.oauth)
    let first = try await server.directory.metadata(of: issuer)
    server.clock.advance(by: .seconds(600))
    #expect(try await server.directory.metadata(of: issuer) == first)
    let request = try #require(server.transport.requests.last)
    #expect(request.address == DocumentServer.oauth && request.head.headerFields[.ifNoneMatch] == "\"one\"")
    server.clock.advance(by: .seconds(599))
    _ = try await server.directory.metadata(of: issuer)
    #expect(server.transport.count == 3, "what the server has confirmed is fresh again")
    server.clock.advance(by: .seconds(1))
    server.publish(
      ["token_endpoint": "https://as.test/newer"], headerFields: [.eTag: "\"two\""], at: DocumentServer.oauth)
    #expect(try await server.directory.metadata(of: issuer).endpoints?.token.path() == "/newer")
  }

  @Test("FIND-12: a document that has moved to the other address is found there, without the old version's tag")
  func moved() async throws {
    let server = DocumentServer()
    server.publish(headerFields: [.eTag: "\"one\""], at: DocumentServer.oauth)
    _ = try await server.directory.metadata(of: issuer)
    server.publish(nil, at: DocumentServer.oauth)
    server.publish(["x": 1], headerFields: [.eTag: "\"one\""])
    server.clock.advance(by: .seconds(3600))
    #expect(try await server.directory.metadata(of: issuer).members["x"] == 1)
    #expect(server.transport.requests.suffix(2).map(\.address) == [DocumentServer.oauth, DocumentServer.openID])
  }

  static let outages: [@Sendable (DocumentServer) -> Void] = [
    { $0.transport.inject(.refuseConnection) }, { $0.transport.inject(.status(.badGateway)) },
    { $0.publish(.html("Welcome to the hotel"), at: DocumentServer.openID) },
    { $0.publish(nil, at: DocumentServer.openID) }, { $0.publish(["issuer": "https://evil.test"]) },
    { $0.publish(["token_endpoint": "http://evil.test/token"]) }, { $0.transport.inject(.endless) },
  ]

  @Test(
    "FIND-13: the last good document is used while a newer one can't be had, for 7 days", arguments: outages.indices)
  func outage(_ index: Int) async throws {
    let server = DocumentServer()
    server.publish()
    let good = try await server.directory.metadata(of: issuer)
    Self.outages[index](server)
    for day in 1...6 {
      server.clock.advance(by: .seconds(86_400))
      #expect(try await server.directory.metadata(of: issuer) == good, "day \(day)")
    }
    server.clock.advance(by: .seconds(86_400))
    #expect(try await server.directory.metadata(of: issuer) == good)
    #expect(server.directory.knownMetadata(of: issuer) == good)
    server.clock.advance(by: .seconds(31))
    #expect(await failure { try await server.directory.metadata(of: issuer) } != nil)
    #expect(server.directory.knownMetadata(of: issuer) == nil)
  }

  @Test("FIND-13: a server that fails is asked again after 30 seconds, not by each caller")
  func pause() async throws {
    let server = DocumentServer()
    server.publish()
    _ = try await server.directory.metadata(of: issuer)
    server.clock.advance(by: .seconds(3600))
    server.transport.inject(.refuseConnection)
    for _ in 0..<100 { _ = try await server.directory.metadata(of: issuer) }
    #expect(server.transport.count == 2)
    server.clock.advance(by: .seconds(30))
    server.transport.setFaults()
    server.publish(["x": 1])
    #expect(try await server.directory.metadata(of: issuer).members["x"] == 1)
  }

  @Test("FIND-13: without a document each caller that begins anew asks, and gets its own failure")
  func nothing() async throws {
    let server = DocumentServer()
    server.publish()
    server.transport.inject(.refuseConnection, at: .first(2))
    #expect(await failure { try await server.directory.metadata(of: issuer) }?.code == .cannotConnect)
    #expect(await failure { try await server.directory.metadata(of: issuer) }?.code == .cannotConnect)
    #expect(try await server.directory.metadata(of: issuer).issuer == issuer)
  }

  @Test("FIND-12: a clock that is set back makes no document fresh for ever", arguments: [-86_400.0, 86_400])
  func clocks(_ jump: TimeInterval) async throws {
    let server = DocumentServer()
    server.publish(headerFields: [.cacheControl: "max-age=600"])
    _ = try await server.directory.metadata(of: issuer)
    // The time since boot tells how much has passed.
    server.clock.set(to: server.clock.now.addingTimeInterval(jump))
    _ = try await server.directory.metadata(of: issuer)
    #expect(server.transport.count == 1)
    // After another start of the machine the wall clock is all there is.
    server.clock.restartMachine()
    _ = try await server.directory.metadata(of: issuer)
    #expect(server.transport.count == 2)
  }

  @Test("FIND-14: servers whose issuers look alike are two servers, and a directory holds no more than 256 of them")
  func places() async throws {
    let server = DocumentServer()
    for number in 0..<300 {
      let issuer = "https://as.test/\(number)"
      server.publish(["issuer": .string(issuer)], at: issuer + "/.well-known/openid-configuration")
      server.clock.advance(by: .seconds(1))
      _ = try await server.directory.metadata(of: issuer)
    }
    let held = (0..<300).filter { server.directory.knownMetadata(of: "https://as.test/\($0)") != nil }
    #expect(held == Array(44..<300), "the oldest go first")
  }
}
