import NIOCore

/// Closes the connection of a client that does not read: its answers would stay in memory for ever.
final class WriteProgressHandler: ChannelOutboundHandler {
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let period: TimeAmount
  private let onClose: @Sendable () -> Void
  private var progress = WriteProgress()
  private var timer: Scheduled<Void>?

  /// - Parameter onClose: Called when a connection is closed for this reason.
  init(within period: TimeAmount, onClose: @escaping @Sendable () -> Void) {
    self.period = period
    self.onClose = onClose
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    progress.give(unwrapOutboundIn(data).readableBytes)
    context.write(data, promise: promise)
  }

  func flush(context: ChannelHandlerContext) {
    context.flush()
    guard timer == nil, waiting(context) > 0 else { return }
    _ = progress.endPeriod(waiting: waiting(context))
    schedule(context)
  }

  func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

  private func schedule(_ context: ChannelHandlerContext) {
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    timer = context.eventLoop.scheduleTask(in: period) {
      let (handler, context) = bound.value
      handler.endPeriod(context)
    }
  }

  private func endPeriod(_ context: ChannelHandlerContext) {
    timer = nil
    guard context.channel.isActive else { return }
    let waiting = waiting(context)
    if progress.endPeriod(waiting: waiting) {
      onClose()
      return context.channel.close(promise: nil)
    }
    if waiting > 0 { schedule(context) }
  }

  private func waiting(_ context: ChannelHandlerContext) -> Int {
    (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
  }
}

/// Whether a client reads its answers, as a value.
///
/// In each period it must take ``least`` bytes, or all that there are.
struct WriteProgress: Sendable, Hashable {
  /// How many bytes a client must take in a period.
  static let least = 16 << 10

  /// Bytes given to the connection.
  private var given = 0
  /// Bytes that the client had taken at the start of the period, as far as the system's buffers show.
  private var takenBefore = 0
  /// Whether bytes were waiting for the client when the period began.
  private var wasWaiting = false

  /// Bytes are given to the connection.
  mutating func give(_ count: Int) { given += count }

  /// A period is over.
  /// - Parameter waiting: bytes that were given and have not left.
  /// - Returns: whether the client has read too little.
  mutating func endPeriod(waiting: Int) -> Bool {
    let taken = given - waiting
    defer {
      takenBefore = taken
      wasWaiting = waiting > 0
    }
    return waiting > 0 && wasWaiting && taken - takenBefore < Self.least
  }
}
