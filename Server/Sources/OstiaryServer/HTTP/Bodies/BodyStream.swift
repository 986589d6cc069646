import HTTPTypes
import HummingbirdCore
import NIOCore
import OstiaryCore

/// A request's body that is read in pieces, as it arrives: only a small part of a long body is in memory.
///
/// A body that is not read to its end costs the connection: the server would have to read and discard the rest.
final class BodyStream: Sendable {
  /// The size that the request announced, in bytes; nil if it didn't.
  let announcedSize: Int?
  private let body: RequestBody
  private let deadline: ContinuousClock.Instant
  private let hasEnded: Locked<Bool>
  private let welcome: @Sendable () async throws -> Void

  /// - Parameters:
  ///   - isPresent: Whether there is a body at all.
  ///   - time: How long it may take to arrive.
  ///   - welcome: Called when a handler first reads the body, for a client that waits for `100 Continue`.
  init(
    _ body: RequestBody, announcedSize: Int?, isPresent: Bool, time: Duration,
    welcome: @escaping @Sendable () async throws -> Void
  ) {
    self.body = body
    self.announcedSize = announcedSize
    self.welcome = welcome
    deadline = .now + time
    hasEnded = Locked(!isPresent)
  }

  /// Whether all of it has been read.
  var isAtEnd: Bool { hasEnded.withLock { $0 } }

  /// Reads it to its end.
  /// - Parameters:
  ///   - limit: The most bytes to take.
  ///   - take: Gets each piece; the next one is not asked for before it returns.
  /// - Throws: `BodyProblem`, or the error of `take`.
  func read(upTo limit: Int, _ take: (ByteBuffer) async throws -> Void) async throws {
    guard !isAtEnd else { return }
    guard announcedSize ?? 0 <= limit else { throw BodyProblem.tooLarge }
    try await welcome()
    var pieces = body.makeAsyncIterator()
    var size = 0
    while true {
      let piece: ByteBuffer?
      do {
        piece = try await pieces.next()
      } catch {
        throw BodyProblem.malformed
      }
      guard let piece else { break }
      guard ContinuousClock.now < deadline else { throw BodyProblem.tooSlow }
      guard piece.readableBytes <= limit - size else { throw BodyProblem.tooLarge }
      size += piece.readableBytes
      try await take(piece)
    }
    // A connection that was cut also ends the pieces.
    guard size == announcedSize ?? size else { throw BodyProblem.malformed }
    hasEnded.withLock { $0 = true }
  }
}

/// Why a request's body was not read to its end.
enum BodyProblem: Error {
  case tooLarge, tooSlow, malformed

  /// The status to answer with.
  var status: HTTPResponse.Status {
    switch self {
    case .tooLarge: .contentTooLarge
    case .tooSlow: .requestTimeout
    case .malformed: .badRequest
    }
  }
}
