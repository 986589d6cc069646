#if AsyncHTTPClient
  public import AsyncHTTPClient
  internal import NIOCore
  internal import NIOHTTP1

  extension HTTPClient.Configuration {
    /// Makes responses with an invalid status fail with ``InvalidStatusError``, and closes their connections.
    ///
    /// AsyncHTTPClient 1.37.0 takes every status below 200 for an informational response, of which no body follows. A body
    /// or an end does follow a status below 100, and `preconditionFailure` then ends the process: any server can end
    /// any client. The libraries below it trap on other statuses of HTTP/2.
    /// `docs/upstream/async-http-client-status-line.md` has the details.
    ///
    /// Call it for every client that talks to a server that isn't one's own. Initializers that are set already still run;
    /// set later, they replace this one.
    public mutating func refuseInvalidStatuses() {
      let (http1, http2) = (http1_1ConnectionDebugInitializer, http2StreamChannelDebugInitializer)
      http1_1ConnectionDebugInitializer = { channel in
        Self.run(http1, on: channel) { pipeline in
          // Behind the decoder, before everything that reads its parts. Without it, the connection fails.
          let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
          try pipeline.addHandler(StatusGuard(), position: .after(decoder))
        }
      }
      http2StreamChannelDebugInitializer = { channel in
        // Before the codec, which traps on some statuses itself.
        Self.run(http2, on: channel) { try $0.addHandler(StreamStatusGuard(), position: .first) }
      }
    }

    /// Adds a handler, then runs the initializer that was set before.
    private static func run(
      _ next: (@Sendable (any Channel) -> EventLoopFuture<Void>)?, on channel: any Channel,
      adding add: @escaping @Sendable (ChannelPipeline.SynchronousOperations) throws -> Void
    ) -> EventLoopFuture<Void> {
      // At once where possible: until the handler is there, nothing must arrive.
      let loop = channel.eventLoop
      let work = { @Sendable in try add(channel.pipeline.syncOperations) }
      let added = loop.inEventLoop ? loop.makeCompletedFuture(withResultOf: work) : loop.submit(work)
      return next.map { next in added.flatMap { next(channel) } } ?? added
    }
  }
#endif
