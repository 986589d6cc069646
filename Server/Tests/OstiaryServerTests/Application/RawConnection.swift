import Foundation
import NIOCore
import NIOPosix
import OstiaryCore

/// A plain connection, for requests that no decent client would send. Every wait is bounded.
final class RawConnection: Sendable {
  private let channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>
  private let endsSending: Bool

  struct TimedOut: Error {}

  /// - Parameter endsSending: Whether the client says, after all that it has to say, that there is no more.
  init(port: Int, endsSending: Bool = false) async throws {
    self.endsSending = endsSending
    channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.allowRemoteHalfClosure, value: true)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel(
            wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: endsSending))
        }
      }
  }

  /// Sends `text`, and reads until the server closes or, where `enough` is given, until what came satisfies it.
  func exchange(
    _ text: String, within limit: Duration = .seconds(120),
    until enough: @escaping @Sendable (String) -> Bool = { _ in false }
  ) async throws -> String {
    try await exchange([text], pause: .zero, within: limit, until: enough)
  }

  /// Sends `text`, and hangs up without waiting for an answer.
  func sendAndHangUp(_ text: String) async throws {
    try await channel.executeThenClose { _, outbound in try await outbound.write(ByteBuffer(string: text)) }
  }

  /// Sends pieces with pauses between them. That the server stops listening is not an error.
  func exchange(
    _ pieces: [String], pause: Duration, within limit: Duration = .seconds(120),
    until enough: @escaping @Sendable (String) -> Bool = { _ in false }
  ) async throws -> String {
    let (channel, endsSending) = (channel, endsSending)
    return try await withThrowingTaskGroup(of: String.self) { group in
      group.addTask {
        let received = Locked("")
        do {
          try await channel.executeThenClose { inbound, outbound in
            try await withThrowingTaskGroup(of: Void.self) { sending in
              sending.addTask {
                for piece in pieces {
                  do {
                    try await outbound.write(ByteBuffer(string: piece))
                  } catch {
                    return
                  }
                  try await Task.sleep(for: pause)
                }
                if endsSending { outbound.finish() }
              }
              for try await part in inbound {
                let text = received.withLock { text in
                  text += String(buffer: part)
                  return text
                }
                if enough(text) { break }
              }
              sending.cancelAll()
            }
          }
        } catch is CancellationError {
          throw CancellationError()
        } catch {
          // A reset is how a server may end a conversation it refuses; what came before it counts.
        }
        return received.withLock { $0 }
      }
      group.addTask {
        try await Task.sleep(for: limit)
        throw TimedOut()
      }
      defer { group.cancelAll() }
      return try await group.next() ?? ""
    }
  }
}
