public import Foundation
public import HTTPTypes

/// A response whose body arrives as it is read.
public struct StreamingResponse: Sendable {
  /// Status and fields; repeated fields are kept apart.
  public var head: HTTPResponse
  /// The body, in pieces. It can be read once. Dropping it closes the connection.
  public var body: ResponseBody
  /// The address that answered: the last one when redirects were followed.
  public var url: URL?

  /// Makes a response.
  public init(_ head: HTTPResponse, body: ResponseBody, url: URL? = nil) {
    self.head = head
    self.body = body
    self.url = url
  }
}

extension StreamingResponse: Redacted {
  /// The status. Fields may hold cookies and are not shown.
  public var description: String { "\(head.status)" }
}

/// A response body that arrives in pieces, pulled by its reader, so that a slow reader slows the sender.
public struct ResponseBody: AsyncSequence, Sendable {
  public typealias Element = Data

  private let next: @Sendable () async throws -> Data?

  /// Makes a body from a function that returns the next piece, and `nil` at the end.
  public init(next: @escaping @Sendable () async throws -> Data?) {
    self.next = next
  }

  /// Makes a body from pieces that are already there.
  public init(_ pieces: [Data]) {
    let remaining = Locked(pieces[...])
    self.init { remaining.withLock { $0.popFirst() } }
  }

  public func makeAsyncIterator() -> Iterator { Iterator(next: next) }

  /// Reads a body piece by piece.
  public struct Iterator: AsyncIteratorProtocol {
    let next: @Sendable () async throws -> Data?

    public mutating func next() async throws -> Data? { try await next() }
  }

  /// Reads the whole body.
  /// - Throws: ``OstiaryError`` `responseTooLarge` as soon as more than `limit` bytes have arrived.
  public func collect(upTo limit: Int) async throws -> Data {
    var whole = Data()
    while let piece = try await next() {
      guard piece.count <= limit - whole.count else {
        throw OstiaryError(.responseTooLarge, "The response is larger than the limit of \(limit) bytes.")
      }
      whole.append(piece)
    }
    return whole
  }

  /// Reads at least the first `count` bytes, if there are as many, and gives back a body that begins with them.
  func split(after count: Int) async throws -> (start: Data, whole: ResponseBody) {
    guard count > 0 else { return (Data(), self) }
    var start = Data()
    while start.count < count, let piece = try await next() { start.append(piece) }
    let pending = Locked<Data?>(start)
    let whole = ResponseBody { [next] in
      let first = pending.withLock { pending in
        defer { pending = nil }
        return pending
      }
      if let first, !first.isEmpty { return first }
      return try await next()
    }
    return (start, whole)
  }
}
