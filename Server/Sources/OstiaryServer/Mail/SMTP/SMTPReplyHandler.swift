import NIOCore

/// Passes a mail server's replies to the caller that waits for them.
final class SMTPReplyHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let replies: AsyncThrowingStream<SMTPReply, any Error>.Continuation
  private var parser = SMTPReplyParser()
  private var count = 0

  init(_ replies: AsyncThrowingStream<SMTPReply, any Error>.Continuation) { self.replies = replies }

  /// Whether exactly `taken` whole replies have arrived and nothing else. Bytes that arrive before TLS and are read
  /// after it could come from an attacker (CVE-2011-0411 and similar).
  func hasSaidOnly(_ taken: Int) -> Bool { parser.isIdle && count == taken }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    do {
      for reply in try parser.consume(unwrapInboundIn(data).readableBytesView) {
        count += 1
        replies.yield(reply)
      }
    } catch {
      replies.finish(throwing: MailFailure.transient("the mail server's answer is malformed"))
      context.close(promise: nil)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    replies.finish(throwing: MailFailure.transient("the mail server closed the connection, or was too slow"))
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    replies.finish(throwing: MailFailure.transient("the connection to the mail server failed: \(type(of: error))"))
    context.close(promise: nil)
  }
}
