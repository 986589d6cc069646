#if AsyncHTTPClient
  internal import NIOCore
  internal import NIOHPACK
  internal import NIOHTTP1
  internal import NIOHTTP2

  /// Keeps responses with an invalid status from the client. It gets an error instead, upon which it closes the
  /// connection, and nothing that follows. For HTTP/1.
  final class StatusGuard: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart

    private var hasRefused = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard !hasRefused else { return }
      if case .head(let head) = unwrapInboundIn(data), !(100...999).contains(head.status.code) {
        hasRefused = true
        context.fireErrorCaught(InvalidStatusError(code: Int(exactly: head.status.code)))
      } else {
        context.fireChannelRead(data)
      }
    }
  }

  /// The same for a stream of HTTP/2, before its frames become the parts of HTTP/1.
  ///
  /// It admits three digits alone. The codec traps on an empty status and on a negative one; and 101 and 1999 are
  /// informational for the codec but final for the client, which traps on the second final response.
  final class StreamStatusGuard: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTP2Frame.FramePayload

    private var hasRefused = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard !hasRefused else { return }
      // Trailers have none.
      if case .headers(let head) = unwrapInboundIn(data), let status = head.headers.first(name: ":status"),
        !Self.isValid(status)
      {
        hasRefused = true
        context.fireErrorCaught(InvalidStatusError(code: Int(status)))
      } else {
        context.fireChannelRead(data)
      }
    }

    private static func isValid(_ status: String) -> Bool {
      let digits = Array(status.utf8)
      return digits.count == 3 && digits.allSatisfy { (0x30...0x39).contains($0) } && digits[0] != 0x30
        && status != "101"
    }
  }

  /// A server's response has a status that HTTP does not have, or not in this place.
  ///
  /// A status is three digits, 100 or more (RFC 9110 §15). HTTP/2 has no 101 (RFC 9113 §8.6).
  public struct InvalidStatusError: Error, Hashable, CustomStringConvertible {
    /// The status, if it is a number.
    public let code: Int?

    package init(code: Int?) {
      self.code = code
    }

    public var description: String {
      "The server's response has \(code.map { "the status \($0)" } ?? "a status that is no number"), which is not HTTP."
    }
  }
#endif
