import Foundation
import NIOCore

/// Counts the connections that wait because the process has no descriptor for them. NIO waits a second then, and tries again.
///
/// The limit of connections leaves descriptors free; this happens where something else has taken them.
final class AcceptFailureHandler: ChannelInboundHandler {
  typealias InboundIn = any Channel

  private let connections: Connections

  init(_ connections: Connections) { self.connections = connections }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if let error = error as? IOError, [EMFILE, ENFILE].contains(error.errnoCode) { connections.note(.descriptors) }
    context.fireErrorCaught(error)
  }
}
