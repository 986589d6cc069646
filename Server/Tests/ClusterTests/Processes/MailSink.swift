import Foundation
import NIOCore
import NIOPosix
import OstiaryCore

/// A mail server that keeps what it takes.
final class MailSink: Sendable {
  struct Message: Sendable {
    let recipient: String
    let text: String
    /// The code that the mail carries.
    var code: String? { text.firstMatch(of: /[A-Z0-9]{4} [A-Z0-9]{4}/).map { $0.output.filter { $0 != " " } } }
  }

  private let channel: any Channel
  private let state: Locked<[Message]>
  let port: Int

  init() async throws {
    let state = Locked<[Message]>([])
    self.state = state
    channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { client in
        client.eventLoop.makeCompletedFuture { try client.pipeline.syncOperations.addHandler(Session(state)) }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    port = channel.localAddress?.port ?? 0
  }

  var messages: [Message] { state.withLock { $0 } }

  func stop() async { try? await channel.close() }

  /// One conversation (RFC 5321).
  private final class Session: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let state: Locked<[Message]>
    private var unread: [UInt8] = []
    private var recipient = ""
    /// The text so far, while there is one.
    private var content: [String]?

    init(_ state: Locked<[Message]>) { self.state = state }

    func channelActive(context: ChannelHandlerContext) { say("220 here", context) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      unread += unwrapInboundIn(data).readableBytesView
      while let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        var line = unread[..<end]
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        hear(String(decoding: line, as: UTF8.self), context)
        unread.removeSubrange(...end)
      }
    }

    private func hear(_ line: String, _ context: ChannelHandlerContext) {
      if content != nil {
        guard line == "." else {
          content?.append(line)
          return
        }
        let text = (content ?? []).joined(separator: "\n").replacing("=\n", with: "")
        content = nil
        state.withLock { [recipient] in $0.append(Message(recipient: recipient, text: text)) }
        return say("250 taken", context)
      }
      switch line.prefix(4).uppercased() {
      case "RCPT":
        recipient = String(line.drop { $0 != "<" }.dropFirst().prefix { $0 != ">" })
        say("250 fine", context)
      case "DATA":
        content = []
        say("354 go on", context)
      case "QUIT":
        say("221 bye", context)
        context.close(promise: nil)
      default: say("250 fine", context)
      }
    }

    private func say(_ line: String, _ context: ChannelHandlerContext) {
      context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: line + "\r\n")), promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
  }
}
