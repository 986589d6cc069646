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

  /// Pieces of a body as AsyncHTTPClient's buffers.
  ///
  /// AsyncHTTPClient asks for the next one as long as the connection has not said that it is full, which it says on its event loop. A file
  /// can be read faster than that loop writes, and would then gather there. So the loops are waited for, every now and then.
  struct DataBuffers<Pieces: AsyncSequence & Sendable>: AsyncSequence, Sendable where Pieces.Element == Data {
    let pieces: Pieces
    /// The loops that write.
    let group: any EventLoopGroup

    func makeAsyncIterator() -> Iterator { Iterator(pieces: pieces.makeAsyncIterator(), group: group) }

    struct Iterator: AsyncIteratorProtocol {
      fileprivate var pieces: Pieces.AsyncIterator
      fileprivate let group: any EventLoopGroup
      /// How many bytes may wait for a loop, and how many do at most.
      private let most = 1 << 20
      private var waiting = 0

      fileprivate init(pieces: Pieces.AsyncIterator, group: any EventLoopGroup) {
        self.pieces = pieces
        self.group = group
      }

      mutating func next() async throws -> ByteBuffer? {
        if waiting >= most {
          waiting = 0
          // A loop does what it was given in order: what was handed over before has been written then, or the connection is full.
          for loop in group.makeIterator() { try await loop.submit {}.get() }
        }
        guard let piece = try await pieces.next() else { return nil }
        waiting += piece.count
        return ByteBuffer(bytes: piece)
      }
    }
  }
#endif
