import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Reports a connection's events to `Connections`, and refuses a connection for which there is no room.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let connections: Connections
  private let writeTime: TimeAmount
  private let idleTime: TimeAmount
  /// When the client last sent something, or had its answers.
  private var activeAt = NIODeadline.now()
  /// Whether a request has begun and not ended.
  private var isReading = false
  private var id: UInt64?
  /// The number of heads read minus the number of answers ended: a client may send its next requests early.
  private var underWay = 0

  init(_ connections: Connections, writeTime: TimeAmount, idleTime: TimeAmount) {
    self.connections = connections
    self.writeTime = writeTime
    self.idleTime = idleTime
  }

  func handlerAdded(context: ChannelHandlerContext) {
    // Next to the network: it sees the bytes that leave.
    try? context.pipeline.syncOperations.addHandler(
      WriteProgressHandler(within: writeTime) { [connections] in connections.note(.writeTime) }, position: .first)
    if context.channel.isActive { open(context) }
  }

  func channelActive(context: ChannelHandlerContext) {
    open(context)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    if let id { connections.close(id, context.channel) }
    id = nil
    context.fireChannelInactive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    // The client sends no more: it has disconnected, or is about to.
    if let event = event as? ChannelEvent, event == .inputClosed, id != nil {
      connections.endInput(of: context.channel)
    }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // The parser has one error for both limits.
    if let error = error as? HTTPParserError, error == .headerOverflow { connections.note(.headerBytes) }
    context.fireErrorCaught(error)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard let id else { return }
    activeAt = .now()
    switch unwrapInboundIn(data) {
    case .head:
      isReading = true
      underWay += 1
      if underWay == 1 { connections.begin(id) }
    case .body: break
    case .end: isReading = false
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data), underWay > 0 {
      underWay -= 1
      activeAt = .now()
      if underWay == 0, let id { connections.end(id) }
    }
    context.write(data, promise: promise)
  }

  /// The HTTP library keeps the time of silence and tells no one of it, but closes the connection through here. Its clock began a
  /// moment before this one.
  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    let silence = NIODeadline.now() - activeAt
    if mode == .all, id != nil, isReading || underWay == 0, silence.nanoseconds >= idleTime.nanoseconds / 10 * 9 {
      connections.note(.idleTime)
      // A connection is closed once.
      activeAt = .now()
    }
    context.close(mode: mode, promise: promise)
  }

  private func open(_ context: ChannelHandlerContext) {
    guard id == nil else { return }
    id = connections.open(context.channel)
    guard id == nil else { return }
    // The answer is sent before the request is read: the client reads it after sending.
    let fields: HTTPFields = [.connection: "close", .contentLength: "0", .retryAfter: "5"]
    context.write(
      wrapOutboundOut(.head(HTTPResponse(status: .serviceUnavailable, headerFields: fields))), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    context.close(promise: nil)
  }
}
