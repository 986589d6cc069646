import NIOCore
import NIOPosix
import OstiaryCore

/// A server of HTTP/1.1 for bodies that no test wants in memory: it counts the bytes of a request's body and sends as many as it is asked
/// for, and stops shortly before the end until the test lets it go on.
public final class ByteServer: Sendable {
  private struct State {
    var received = 0
    var heads: [String] = []
    var isReleased = false
    var waiting: [EventLoopPromise<Void>] = []
    var held = 0
  }

  private let channel: any Channel
  private let state = Locked(State())

  /// Where it listens, on this machine.
  public let port: Int

  /// Starts one.
  /// - Parameters:
  ///   - size: how many bytes it sends as the answer to a GET.
  ///   - refusal: the status that it answers requests with a body with, as soon as it has their head; `nil` for 200 at the end.
  public init(sending size: Int = 0, refusing refusal: String? = nil) async throws {
    let state = state
    channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { client in
        client.eventLoop.makeCompletedFuture {
          try client.pipeline.syncOperations.addHandler(Counter(size: size, refusal: refusal, state: state))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    port = channel.localAddress?.port ?? 0
  }

  /// How many bytes of bodies have come.
  public var received: Int { state.withLock { $0.received } }
  /// The heads of the requests.
  public var heads: [String] { state.withLock { $0.heads } }
  /// How many exchanges have stopped shortly before their end.
  public var held: Int { state.withLock { $0.held } }

  /// Lets what has stopped go on, and does not stop any more.
  public func goOn() {
    let waiting = state.withLock { state in
      state.isReleased = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for promise in waiting { promise.succeed() }
  }

  /// Takes no more connections.
  public func stop() async throws { try await channel.close() }

  private final class Counter: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let size: Int
    private let refusal: String?
    private let state: Locked<State>
    private var head: [UInt8] = []
    /// The bytes of the body that are still to come; `nil` while the head is read, `.max` for chunks.
    private var left: Int?
    private var end: [UInt8] = []

    init(size: Int, refusal: String?, state: Locked<State>) {
      (self.size, self.refusal, self.state) = (size, refusal, state)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      var bytes = unwrapInboundIn(data)
      while left == nil, let byte = bytes.readInteger(as: UInt8.self) {
        head.append(byte)
        if head.suffix(4).elementsEqual([13, 10, 13, 10]) { begin(context) }
      }
      guard let length = left, bytes.readableBytes > 0 else { return }
      state.withLock { $0.received += bytes.readableBytes }
      if length == .max {
        end = Array((end + Array(bytes.readableBytesView.suffix(5))).suffix(5))
        if end.elementsEqual([48, 13, 10, 13, 10]) { answer(context) }
      } else {
        left = length - bytes.readableBytes
        if left == 0 { answer(context) }
      }
    }

    private func begin(_ context: ChannelHandlerContext) {
      let text = String(decoding: head, as: UTF8.self)
      state.withLock { $0.heads.append(text) }
      let field = text.lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
      let isChunked = text.lowercased().contains("transfer-encoding: chunked")
      left = isChunked ? .max : field.flatMap { Int($0.drop { $0 != ":" }.dropFirst().drop { $0 == " " }) } ?? 0
      if let refusal, left != 0 {
        return say("HTTP/1.1 \(refusal)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", context)
      }
      if left == 0 { answer(context) }
    }

    private func answer(_ context: ChannelHandlerContext) {
      head = []
      left = nil
      guard refusal == nil else { return }
      say("HTTP/1.1 200 OK\r\nContent-Length: \(max(size, 1))\r\n\r\n", context)
      send(max(size, 1), context)
    }

    /// Sends zeros as fast as they are taken. The last byte waits.
    private func send(_ count: Int, _ context: ChannelHandlerContext) {
      let piece = count == 1 ? 1 : min(count - 1, 256 * 1024)
      let buffer = ByteBuffer(repeating: UInt8(ascii: "0"), count: piece)
      let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
      let mayGo = context.eventLoop.makePromise(of: Void.self)
      let waits = state.withLock { state in
        guard count == 1, !state.isReleased else { return false }
        state.held += 1
        state.waiting.append(mayGo)
        return true
      }
      if !waits { mayGo.succeed() }
      mayGo.futureResult.whenSuccess {
        let (handler, context) = bound.value
        context.writeAndFlush(handler.wrapOutboundOut(buffer)).whenSuccess {
          guard count > piece else { return }
          // A socket with room has written already. The next piece begins in a turn of its own: thousands of them in one
          // another would need more stack than there is.
          bound.value.1.eventLoop.execute {
            let (handler, context) = bound.value
            handler.send(count - piece, context)
          }
        }
      }
    }

    private func say(_ text: String, _ context: ChannelHandlerContext) {
      context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
  }
}
