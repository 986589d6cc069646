#if AsyncHTTPClient
  import NIOCore

  /// Answers the streams of one HTTP/2 connection (RFC 9113) with what no library would send. It reads no more of a
  /// request than that it is one.
  final class HTTP2Answer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The `:status` of each header block of each response, in the order of the streams. The last response repeats.
    private let responses: [[String]]
    private var received = ByteBuffer()
    private var hasPreface = false
    private var answered = 0

    init(_ responses: [[String]]) {
      self.responses = responses
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      var bytes = unwrapInboundIn(data)
      received.writeBuffer(&bytes)
      var output = ByteBuffer()
      if !hasPreface {
        guard received.readSlice(length: 24) != nil else { return }
        hasPreface = true
        output.writeFrame(4)
      }
      while let head = received.getBytes(at: received.readerIndex, length: 9) {
        let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
        guard received.readSlice(length: 9 + length) != nil else { break }
        if head[3] == 4, head[4] & 1 == 0 { output.writeFrame(4, flags: 1) }
        if head[3] == 1 { answer(head[5...8].reduce(0) { $0 << 8 | UInt32($1) }, in: &output) }
      }
      context.writeAndFlush(wrapOutboundOut(output), promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      context.close(promise: nil)
    }

    private func answer(_ stream: UInt32, in output: inout ByteBuffer) {
      for status in responses[min(answered, responses.count - 1)] {
        // A literal without indexing whose name is the static table's eighth (RFC 7541 §6.2.2, appendix A).
        output.writeFrame(1, flags: 4, stream: stream, [8, UInt8(status.utf8.count)] + Array(status.utf8))
      }
      output.writeFrame(0, flags: 1, stream: stream, Array("ok".utf8))
      answered += 1
    }
  }

  extension ByteBuffer {
    fileprivate mutating func writeFrame(
      _ type: UInt8, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []
    ) {
      writeBytes([0, 0, UInt8(payload.count), type, flags])
      writeInteger(stream)
      writeBytes(payload)
    }
  }
#endif
