internal import Foundation
internal import OstiaryCore

/// The body of a request as the command line says it: in memory where it is small, so that the session can go into it and the request can be
/// repeated, otherwise read while it is sent.
enum OutgoingBody: Sendable {
  case memory(Data)
  case streamed(StreamedBody)

  /// The most bytes that are kept in memory.
  static let memoryLimit = 1 << 20

  /// The body that `--data` says.
  /// - Parameter limit: the most bytes that are kept in memory.
  init(data argument: String, _ environment: CommandEnvironment, upTo limit: Int) throws {
    guard argument.hasPrefix("@") else {
      self = .memory(Data(argument.utf8))
      return
    }
    self.init([try .named(String(argument.dropFirst()), environment, upTo: limit)], upTo: limit)
  }

  /// A body that has these parts, one after the other.
  init(_ parts: [BodyPart], upTo limit: Int) {
    let streamed = StreamedBody(parts: parts)
    var whole = Data()
    for part in parts {
      guard case .bytes(let data) = part, whole.count + data.count <= limit || parts.count == 1 else {
        self = .streamed(streamed)
        return
      }
      whole.append(data)
    }
    self = .memory(whole)
  }
}

/// A body that is read while it is sent, so that memory never holds the whole of it.
struct StreamedBody: Sendable {
  let parts: [BodyPart]

  /// How many bytes it has; `nil` where only the end tells.
  var length: Int64? {
    parts.reduce(0) { sum, part in
      guard let sum, let length = part.length else { return nil }
      return sum + length
    }
  }

  /// Begins to send it. Files are opened anew.
  /// - Throws: ``OstiaryError`` `body_spent` where a part of it was read before and can't be read again.
  func open() throws -> Pieces { Pieces(readers: try parts.map { try $0.open() }) }

  /// The bytes, in pieces.
  struct Pieces: AsyncSequence, Sendable {
    fileprivate let readers: [@Sendable (_ count: Int) throws -> Data]

    func makeAsyncIterator() -> Iterator { Iterator(readers: readers[...]) }

    struct Iterator: AsyncIteratorProtocol {
      /// How large a piece is, in bytes. A slow connection takes one within the time that is allowed for it.
      private static let size = 64 * 1024
      /// Reading blocks: it has threads of its own.
      private static let queue = DispatchQueue(label: "ostiary.body", attributes: .concurrent)

      fileprivate var readers: ArraySlice<@Sendable (_ count: Int) throws -> Data>

      mutating func next() async throws -> Data? {
        while let reader = readers.first {
          let piece = try await withCheckedThrowingContinuation { continuation in
            Self.queue.async { continuation.resume(with: Result { try reader(Self.size) }) }
          }
          if !piece.isEmpty { return piece }
          readers.removeFirst()
        }
        return nil
      }
    }
  }
}
