import NIOCore
import NIOPosix
import OstiaryCore

/// A way to a server that is cut when so many bytes have gone through it, and works again afterwards.
final class CuttingProxy: Sendable {
  private let channel: any Channel
  private let state: Locked<State>

  private struct State {
    var target = 0
    var cuts: [Int]
    var passed = 0
    var made = 0
  }

  let port: Int

  /// - Parameter cuts: after how many bytes from clients, in all, connections are cut.
  init(cuts: [Int]) async throws {
    let state = Locked(State(cuts: cuts.sorted()))
    self.state = state
    channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelOption(.autoRead, value: false)
      .childChannelInitializer { client in
        ClientBootstrap(group: client.eventLoop)
          .connect(host: "127.0.0.1", port: state.withLock { $0.target })
          .flatMap { server in
            client.eventLoop.makeCompletedFuture {
              try server.pipeline.syncOperations.addHandler(Relay(peer: client) { _ in false })
              try client.pipeline.syncOperations.addHandler(Relay(peer: server) { Self.cuts(after: $0, state) })
            }
          }
          .flatMap { client.setOption(.autoRead, value: true) }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    port = channel.localAddress?.port ?? 0
  }

  /// How often a connection has been cut.
  var cutsMade: Int { state.withLock { $0.made } }

  /// Says where the server is.
  func lead(to port: Int) { state.withLock { $0.target = port } }

  func stop() async throws { try await channel.close() }

  private static func cuts(after bytes: Int, _ state: Locked<State>) -> Bool {
    state.withLock { state in
      state.passed += bytes
      guard let next = state.cuts.first, state.passed >= next else { return false }
      state.cuts.removeFirst()
      state.made += 1
      return true
    }
  }
}

/// Hands on what one side says to the other, and tells it when that one has left.
private final class Relay: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let peer: any Channel
  private let cuts: (Int) -> Bool

  init(peer: any Channel, cuts: @escaping (Int) -> Bool) {
    self.peer = peer
    self.cuts = cuts
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = unwrapInboundIn(data)
    if cuts(bytes.readableBytes) {
      context.close(promise: nil)
      peer.close(promise: nil)
    } else {
      peer.writeAndFlush(bytes, promise: nil)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    peer.close(promise: nil)
  }
}
