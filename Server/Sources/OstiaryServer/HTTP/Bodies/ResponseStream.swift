import NIOCore

/// A response's body that is written piece by piece, as it is made: however long it is, little of it is in memory.
struct ResponseStream: Sendable {
  /// The size in bytes, where it is known.
  let size: Int?
  /// Writes it all. A piece is taken when the client has room for it; an error ends the connection, so that nobody takes
  /// half a body for a whole one.
  let produce: @Sendable (_ write: (ByteBuffer) async throws -> Void) async throws -> Void
}
