import AsyncHTTPClient
import Foundation
import HTTPTypes
import Logging
import NIOCore
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryServer

@Suite("Gateway door: pieces of bodies", .timeLimit(.minutes(5)))
struct GatewayRelayTests {
  @Test("A short answer of known size leaves in one piece with its head; another as it comes")
  func piecesOfAnswers() async throws {
    let most = GatewayUpstreams.mostWhole
    let handler: LoopbackServer.Handler = { request in
      switch request.path {
      case "/short": [.response(200, body: String(repeating: "x", count: 16 << 10))]
      case "/most": [.response(200, body: String(repeating: "x", count: most))]
      case "/long": [.response(200, body: String(repeating: "x", count: most + 1))]
      case "/unknown": [.head(200, [("Transfer-Encoding", "chunked")]), .chunk("x"), .lastChunk]
      case "/broken": [.head(200, [("Content-Length", "100")]), .send("half"), .close]
      case "/head": [.head(200, [("Content-Length", "100")])]
      default: [.response(200)]
      }
    }
    try await withUpstream(handler) { upstream in
      let map = try #require(JunctionMap(GatewayJunction(path: "/app", upstream: upstream.url())))
      let origin = try #require(Origin(scheme: "http", authority: "localhost"))
      let upstreams = try GatewayUpstreams(
        GatewayDoorConfiguration(), cookies: ServerCookieNames([]), identity: GatewayIdentity([], style: .ostiary),
        logger: Logger(label: "test"))
      func answer(_ path: String, _ method: HTTPRequest.Method = .get) async -> DoorResponse {
        let request = DoorRequest(
          method: method, path: "/app" + path, query: .none, headers: [:], body: [], parameters: [:],
          clientAddress: "127.0.0.1", id: "1", target: "/app" + path)
        return await upstreams.relay(request, nil, to: map, user: nil, at: origin)
      }
      func pieces(of answer: DoorResponse) async throws -> [Int] {
        let sizes = Locked<[Int]>([])
        try await answer.stream?.produce { piece in sizes.withLock { $0.append(piece.readableBytes) } }
        return sizes.withLock { $0 }
      }
      for (path, size) in [("/short", 16 << 10), ("/most", most)] {
        let whole = await answer(path)
        #expect(whole.relayedBody?.readableBytes == size)
        #expect(whole.stream == nil)
      }
      let long = await answer("/long")
      #expect(long.relayedBody == nil)
      #expect(try await pieces(of: long).reduce(0, +) == most + 1)
      let unknown = await answer("/unknown")
      #expect(unknown.relayedBody == nil)
      #expect(try await pieces(of: unknown) == [1])
      let broken = await answer("/broken")
      #expect(broken.relayedBody == nil)
      #expect(broken.stream?.size == 100)
      await #expect(throws: (any Error).self) { try await pieces(of: broken) }
      let head = await answer("/head", .head)
      #expect(head.relayedBody == nil)
      #expect(head.stream?.size == 100)
      await upstreams.close()
    }
  }

  @Test("A relay ends for its reader and its writer however either goes", arguments: [0, 1, 2, 3])
  func relay(way: Int) async throws {
    let relay = BodyRelay()
    let writer = Task {
      for number in 0..<3 { try await relay.send(ByteBuffer(integer: UInt8(number))) }
      relay.finish()
    }
    var reader = relay.makeAsyncIterator()
    #expect(try await reader.next()?.readableBytes == 1)
    switch way {
    case 0:
      #expect(try await reader.next() != nil)
      #expect(try await reader.next() != nil)
      #expect(try await reader.next() == nil)
      try await writer.value
    case 1:
      relay.fail(BodyRelay.Closed())
      await #expect(throws: BodyRelay.Closed.self) { try await writer.value }
    case 2:
      writer.cancel()
      await #expect(throws: (any Error).self) { try await writer.value }
    default:
      #expect(try await reader.next() != nil)
      #expect(try await reader.next() != nil)
      try await writer.value
      relay.fail(BodyRelay.Closed())
      #expect(try await reader.next() == nil)
    }
  }
}
