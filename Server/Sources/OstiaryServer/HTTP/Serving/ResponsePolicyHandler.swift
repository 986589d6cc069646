import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Completes every response of a door, of the dispatcher, or of the HTTP parser that refuses a malformed request. It
/// adds the security headers that are missing, and closes a connection that the response declares closed, even if the
/// client continues to send.
final class ResponsePolicyHandler: ChannelOutboundHandler, RemovableChannelHandler {
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// How long a closing connection stays open: the client can read the answer before the reset.
  private static let linger = TimeAmount.seconds(2)

  /// Marks the answer of another server, which keeps its own headers. The field never leaves this server.
  static let relayed = "Ostiary-Relayed"
  private static let relayedName = HTTPField.Name(relayed)
  private let policy: SecurityHeaders
  private var closes = false

  init(policy: SecurityHeaders) {
    self.policy = policy
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(var head):
      if head.status.kind != .informational {
        if let name = Self.relayedName, head.headerFields.contains(name) {
          head.headerFields[name] = nil
          policy.applyTransport(to: &head.headerFields)
        } else {
          policy.apply(to: &head.headerFields)
        }
        closes = head.headerFields[.connection]?.lowercasedASCII == "close"
      }
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    case .body:
      context.write(data, promise: promise)
    case .end:
      guard closes else { return context.write(data, promise: promise) }
      context.writeAndFlush(data, promise: promise)
      context.close(mode: .output, promise: nil)
      let channel = context.channel
      context.eventLoop.scheduleTask(in: Self.linger) { channel.close(promise: nil) }
    }
  }
}
