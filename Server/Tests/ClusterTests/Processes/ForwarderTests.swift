import Foundation
import NIOCore
import NIOPosix
import OstiaryCore
import Testing

@Suite("A way between two processes", .timeLimit(.minutes(5)))
struct ForwarderTests {
  /// Says again what it hears.
  private final class Echo: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    func channelRead(context: ChannelHandlerContext, data: NIOAny) { context.writeAndFlush(data, promise: nil) }
  }

  /// A server that says again what it hears, a way to it, and a connection.
  private static func run(
    _ body: (_ forwarder: Forwarder, _ say: (String) -> Void, _ heard: AsyncStream<String>) async throws -> Void
  ) async throws {
    let path = "/tmp/ostiary-\(UUID().uuidString.prefix(8))"
    let group = MultiThreadedEventLoopGroup.singleton
    let server = try await ServerBootstrap(group: group)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Echo()) }
      }
      .bind(unixDomainSocketPath: path).get()
    let forwarder = try await Forwarder(to: path)
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    let client = try await ClientBootstrap(group: group)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Hearer(continuation: continuation))
        }
      }
      .connect(host: "127.0.0.1", port: forwarder.port).get()
    try await body(forwarder, { client.writeAndFlush(ByteBuffer(string: $0), promise: nil) }, stream)
    await forwarder.stop()
    try? await client.close()
    try await server.close()
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Tells what it hears.
  private final class Hearer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let continuation: AsyncStream<String>.Continuation
    init(continuation: AsyncStream<String>.Continuation) { self.continuation = continuation }
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      continuation.yield(String(buffer: unwrapInboundIn(data)))
    }
    func channelInactive(context: ChannelHandlerContext) { continuation.finish() }
  }

  @Test("What is said arrives, late or not, in its order")
  func order() async throws {
    try await Self.run { forwarder, say, heard in
      var (words, all) = (heard.makeAsyncIterator(), "")
      say("a")
      all += await words.next() ?? ""
      forwarder.set(.late(milliseconds: 20))
      say("b")
      forwarder.set(.open)
      say("c")
      while all.count < 3, let word = await words.next() { all += word }
      #expect(all == "abc")
    }
  }

  @Test("What is said in a silence arrives after it")
  func silence() async throws {
    try await Self.run { forwarder, say, heard in
      var (words, all) = (heard.makeAsyncIterator(), "")
      forwarder.set(.silent)
      say("a")
      forwarder.set(.open)
      say("b")
      while all.count < 2, let word = await words.next() { all += word }
      #expect(all == "ab")
    }
  }

  @Test("A cut ends a connection, and none can be made until it is over")
  func cut() async throws {
    try await Self.run { forwarder, say, heard in
      var words = heard.makeAsyncIterator()
      say("a")
      #expect(await words.next() == "a")
      forwarder.set(.cut)
      #expect(await words.next() == nil)
    }
  }
}
