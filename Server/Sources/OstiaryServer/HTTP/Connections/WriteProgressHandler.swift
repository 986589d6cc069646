import NIOCore

/// Closes the connection of a client that does not read: what it is sent would stay in memory for ever.
final class WriteProgressHandler: ChannelOutboundHandler {
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let period: TimeAmount
  private let onClose: @Sendable () -> Void
  private var progress = WriteProgress()
  private var timer: Scheduled<Void>?

  /// - Parameter onClose: Told when a connection is closed for it.
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
