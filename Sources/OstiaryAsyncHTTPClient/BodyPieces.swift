#if AsyncHTTPClient
  internal import Dispatch
  internal import Foundation
  internal import NIOCore
  internal import OstiaryCore

  /// A large body in pieces.
  ///
  /// AsyncHTTPClient's buffers are copies. One that fits into the processor's cache costs a fraction of what a copy of the
  /// whole body costs, and next to no memory.
  struct BodyPieces: AsyncSequence, Sendable {
    /// How large a piece is, in bytes.
    static let size = 256 * 1024

    fileprivate enum Origin: Sendable {
      case data(Data)
      case source(BodySource)
    }

    private let origin: Origin
    let length: Int

    init(_ body: Data) {
      origin = .data(body)
      length = body.count
    }

    init(_ body: BodySource) {
      origin = .source(body)
      length = body.length
    }

    func makeAsyncIterator() -> Iterator { Iterator(origin: origin, length: length) }

    struct Iterator: AsyncIteratorProtocol {
      fileprivate let origin: Origin
      fileprivate let length: Int
      fileprivate var offset = 0

      mutating func next() async throws -> ByteBuffer? {
        guard offset < length else { return nil }
        let (start, count) = (offset, Swift.min(BodyPieces.size, length - offset))
        offset += count
        switch origin {
        case .data(let data):
          return ByteBuffer(bytes: data.dropFirst(start).prefix(count))
        case .source(let source):
          // On a thread of its own, because a disk may take its time.
          return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
              continuation.resume(with: Result { try Self.read(source, at: start, count: count) })
            }
          }
        }
      }

      private static func read(_ source: BodySource, at offset: Int, count: Int) throws -> ByteBuffer {
        var buffer = ByteBufferAllocator().buffer(capacity: count)
        try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
          try source.read(at: offset, into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<count]))
          return count
        }
        return buffer
      }
    }
  }
#endif
