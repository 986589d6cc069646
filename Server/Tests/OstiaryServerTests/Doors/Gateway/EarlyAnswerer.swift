import NIOCore
import NIOHTTP1
import NIOPosix

/// A server that refuses a request by its head, without waiting for the body.
final class EarlyAnswerer: Sendable {
  private let channel: any Channel
  var port: Int { channel.localAddress?.port ?? 0 }

  private init(_ channel: any Channel) { self.channel = channel }

  static func start() async throws -> EarlyAnswerer {
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(
            ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)))
          try channel.pipeline.syncOperations.addHandler(Refusal())
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    return EarlyAnswerer(channel)
  }

  func stop() async throws { try await channel.close() }

  private final class Refusal: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard case .head = unwrapInboundIn(data) else { return }
      let answer = ByteBuffer(string: "HTTP/1.1 413 Content Too Large\r\nContent-Length: 8\r\n\r\ntoo much")
      context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
    }
  }
}
