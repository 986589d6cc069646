import NIOCore

/// One conversation with a mail server.
struct SMTPConnection: Sendable {
  let channel: any Channel
  let replies: AsyncThrowingStream<SMTPReply, any Error>
  let patience: TimeAmount

  /// This machine's name in `EHLO`: the address that the server sees, without a NAT in between (RFC 5321 §4.1.3).
  var ownName: String {
    guard let address = channel.localAddress?.ipAddress else { return "localhost" }
    return address.containsByte(":") ? "[IPv6:\(address)]" : "[\(address)]"
  }

  func write(_ bytes: [UInt8]) async throws {
    let timer = closeLater()
    defer { timer.cancel() }
    try await channel.writeAndFlush(ByteBuffer(bytes: bytes))
  }

  /// Closes the connection after the time-out. The waiting call then fails.
  func closeLater() -> Scheduled<Void> {
    channel.eventLoop.scheduleTask(in: patience) { [channel] in channel.close(promise: nil) }
  }
}
