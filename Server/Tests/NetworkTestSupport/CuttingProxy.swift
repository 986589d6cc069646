import NIOCore
import NIOPosix
import OstiaryCore

/// A way to a server that is cut, or comes to a halt, when so many bytes have gone through it, and works again afterwards;
/// or that loses answers.
public final class CuttingProxy: Sendable {
  private let channel: any Channel
  private let state: Locked<State>

  private struct State {
    var target = 0
    var cuts: [Int]
    var halt: Int?
    var passed = 0
    var made = 0
    /// Where something has come to a halt.
    var halted: [any Channel] = []
    /// Whose answers are lost.
    var losses: (left: Int, start: [UInt8], note: @Sendable (String) -> Void)?
    var lost = 0
  }

  /// Where it listens, on this machine.
  public let port: Int

  /// Starts one.
  /// - Parameters:
  ///   - cuts: after how many bytes from clients, in all, connections are cut.
  ///   - halt: after how many bytes from clients, in all, nothing goes on until ``goOn()``.
  public init(cuts: [Int], halt: Int? = nil) async throws {
    let state = Locked(State(cuts: cuts.sorted(), halt: halt))
    self.state = state
    channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelOption(.autoRead, value: false)
      .childChannelInitializer { client in
        ClientBootstrap(group: client.eventLoop)
          .connect(host: "127.0.0.1", port: state.withLock { $0.target })
          .flatMap { server in
            client.eventLoop.makeCompletedFuture {
              // What becomes of the next answer on this connection.
              let isLost = Locked(false)
              try server.pipeline.syncOperations.addHandler(
                Relay(peer: client) { _ in isLost.withLock { $0 } ? .cut : .goOn })
              try client.pipeline.syncOperations.addHandler(
                Relay(peer: server) { bytes in
                  if Self.isLost(bytes, state) { isLost.withLock { $0 = true } }
                  return Self.fate(after: bytes.readableBytes, client, state)
                })
            }
          }
          .flatMap { client.setOption(.autoRead, value: true) }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    port = channel.localAddress?.port ?? 0
  }

  /// How often a connection has been cut.
  public var cutsMade: Int { state.withLock { $0.made } }

  /// How many bytes have come from clients.
  public var passed: Int { state.withLock { $0.passed } }

  /// How many answers are lost, or will be.
  public var answersLost: Int { state.withLock { $0.lost } }

  /// Loses the answers to the next requests that begin with a text: they reach the server, and when it answers the
  /// connection is cut.
  /// - Parameter note: hears of each such request, with what has come of it, before the server does.
  public func loseAnswers(_ count: Int, to start: String, _ note: @escaping @Sendable (String) -> Void = { _ in }) {
    state.withLock { $0.losses = (count, Array(start.utf8), note) }
  }

  /// Says where the server is.
  public func lead(to port: Int) { state.withLock { $0.target = port } }

  /// Cuts what has come to a halt, and lets everything else go on.
  public func goOn() {
    let halted = state.withLock { state in
      state.halt = nil
      defer { state.halted = [] }
      return state.halted
    }
    for channel in halted { channel.close(promise: nil) }
  }

  /// Takes no more connections.
  public func stop() async throws { try await channel.close() }

  private static func isLost(_ bytes: ByteBuffer, _ state: Locked<State>) -> Bool {
    let note = state.withLock { state -> (@Sendable (String) -> Void)? in
      guard let losses = state.losses, losses.left > 0, bytes.readableBytesView.starts(with: losses.start) else {
        return nil
      }
      state.losses?.left -= 1
      state.lost += 1
      return losses.note
    }
    note?(String(buffer: bytes))
    return note != nil
  }

  private static func fate(after bytes: Int, _ client: any Channel, _ state: Locked<State>) -> Relay.Fate {
    state.withLock { state in
      state.passed += bytes
      if let halt = state.halt, state.passed >= halt {
        state.halted.append(client)
        return .halt
      }
      guard let next = state.cuts.first, state.passed >= next else { return .goOn }
      state.cuts.removeFirst()
      state.made += 1
      return .cut
    }
  }
}

/// Hands on what one side says to the other, no faster than that one takes it, and tells it when this one has left.
private final class Relay: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer

  /// What becomes of some bytes.
  enum Fate {
    case goOn, halt, cut
  }

  private let peer: any Channel
  private let fate: (ByteBuffer) -> Fate
  private var mayRead = true
  private var isHalted = false

  init(peer: any Channel, fate: @escaping (ByteBuffer) -> Fate) {
    self.peer = peer
    self.fate = fate
  }

  func read(context: ChannelHandlerContext) {
    if mayRead { context.read() }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // What the system still has of one who leaves is handed over unasked.
    if isHalted { return }
    let bytes = unwrapInboundIn(data)
    switch fate(bytes) {
    case .halt:
      mayRead = false
      isHalted = true
    case .cut:
      context.close(promise: nil)
      peer.close(promise: nil)
    case .goOn:
      // Both channels are of one event loop, so that what is written here is in order.
      mayRead = false
      let context = NIOLoopBound(context, eventLoop: context.eventLoop)
      let relay = NIOLoopBound(self, eventLoop: context.value.eventLoop)
      peer.writeAndFlush(bytes).whenComplete { _ in
        relay.value.mayRead = true
        context.value.read()
      }
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    peer.close(promise: nil)
  }
}
