/// The body of a request that is read while it is sent, so that memory never holds the whole of it.
package struct BodySource: Sendable {
  /// How many bytes there are.
  package let length: Int
  private let fill: @Sendable (_ offset: Int, _ bytes: UnsafeMutableRawBufferPointer) throws -> Void

  /// - Parameter fill: reads what is at an offset, as much as there is room, or throws. It may block.
  package init(
    length: Int, _ fill: @escaping @Sendable (_ offset: Int, _ bytes: UnsafeMutableRawBufferPointer) throws -> Void
  ) {
    self.length = length
    self.fill = fill
  }

  /// Reads what is at an offset, as much as there is room. It may block the thread.
  package func read(at offset: Int, into bytes: UnsafeMutableRawBufferPointer) throws {
    try fill(offset, bytes)
  }
}

/// A transport that can read a body while it sends it. A decorator hides that, and gets bodies in memory.
package protocol BodyReadingTransport: Transport {
  /// Sends a request as ``Transport/send(_:)`` does, with this body instead of its own.
  func send(_ request: TransportRequest, reading body: BodySource) async throws -> TransportResponse
}
