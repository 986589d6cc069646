import NIOCore
import NIOPosix
import OstiaryCore

/// A way between two processes that can be cut, be silent, or be slow.
final class Forwarder: Sendable {
  enum Mode: Sendable, Equatable {
    case open
    /// Connections break, and none can be made.
    case cut
    /// What is said arrives when the mode is another one, and so does the end of a connection.
    case silent
    /// What is said arrives later.
    case late(milliseconds: Int)
  }

  fileprivate struct State {
    var mode = Mode.open
    var number = 0
    /// What each connection does when the mode has changed.
    var changes: [Int: @Sendable () -> Void] = [:]
  }

  private let channel: any Channel
  private let state: Locked<State>

  /// Where it listens, on this machine.
  let port: Int

  /// - Parameter socket: the file of the socket that connections lead to.
  convenience init(to socket: String) async throws {
    try await self.init(SocketAddress(unixDomainSocketPath: socket))
  }

  /// - Parameter port: the port of this machine that connections lead to.
  convenience init(toPort port: Int) async throws {
    try await self.init(SocketAddress(ipAddress: "127.0.0.1", port: port))
  }

  private init(_ address: SocketAddress) async throws {
    let state = Locked(State())
    self.state = state
    channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.backlog, value: 256)
      .childChannelOption(.autoRead, value: false)
      .childChannelInitializer { client in
        if state.withLock({ $0.mode }) == .cut { return client.close() }
        return ClientBootstrap(group: client.eventLoop)
          .connect(to: address)
          .flatMap { server in
            client.eventLoop.makeCompletedFuture {
              try server.pipeline.syncOperations.addHandler(Relay(peer: client, state))
              try client.pipeline.syncOperations.addHandler(Relay(peer: server, state))
            }
          }
          .flatMap { client.setOption(.autoRead, value: true) }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    port = channel.localAddress?.port ?? 0
  }

  func set(_ mode: Mode) {
    let changes = state.withLock { state in
      state.mode = mode
      return Array(state.changes.values)
    }
    for change in changes { change() }
  }

  /// Takes no more connections, and breaks those that there are.
  func stop() async {
    try? await channel.close()
    set(.cut)
  }
}

/// Hands on what one side says to the other, in its order.
private final class Relay: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private enum Item {
    case bytes(ByteBuffer)
    case end
  }

  private let peer: any Channel
  private let state: Locked<Forwarder.State>
  private var number = 0
  /// What has not been handed on, and from when it may be.
  private var waiting: [(item: Item, due: NIODeadline)] = []
  private var context: ChannelHandlerContext?

  init(peer: any Channel, _ state: Locked<Forwarder.State>) {
    (self.peer, self.state) = (peer, state)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    let (loop, relay) = (context.eventLoop, NIOLoopBound(self, eventLoop: context.eventLoop))
    number = state.withLock { state in
      state.number += 1
      state.changes[state.number] = { loop.execute { relay.value.handOn() } }
      return state.number
    }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
    forget()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    add(.bytes(unwrapInboundIn(data)))
  }

  func channelInactive(context: ChannelHandlerContext) {
    add(.end)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private func add(_ item: Item) {
    var due = NIODeadline.now()
    if case .late(let milliseconds) = state.withLock({ $0.mode }) { due = due + .milliseconds(Int64(milliseconds)) }
    if let last = waiting.last { due = max(due, last.due) }
    waiting.append((item, due))
    handOn()
  }

  private func handOn() {
    switch state.withLock({ $0.mode }) {
    case .cut:
      waiting = []
      forget()
      context?.close(promise: nil)
      peer.close(promise: nil)
      return
    case .silent: return
    case .open, .late: break
    }
    let now = NIODeadline.now()
    while let next = waiting.first, next.due <= now {
      waiting.removeFirst()
      switch next.item {
      case .bytes(let bytes): peer.writeAndFlush(bytes, promise: nil)
      case .end:
        forget()
        peer.close(promise: nil)
      }
    }
    guard let next = waiting.first else { return }
    let relay = NIOLoopBound(self, eventLoop: peer.eventLoop)
    peer.eventLoop.scheduleTask(deadline: next.due) { relay.value.handOn() }
  }

  private func forget() { _ = state.withLock { $0.changes.removeValue(forKey: number) } }
}
