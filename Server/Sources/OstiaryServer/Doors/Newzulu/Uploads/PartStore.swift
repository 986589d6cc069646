import NIOCore
import OstiaryCore

/// Where the bytes of uploads are stored: parts, under names that the database records.
///
/// A part is there, complete and durable, when its writer has finished. A store must never remove a part by itself: only the
/// database knows which parts count.
protocol PartStore: Sendable {
  /// Where that is, for the server's operator.
  var place: PartPlace { get }
  /// Whether what a killed server has left is removed when its upload ends. Otherwise it is removed when a server starts.
  var tidiesAtEnd: Bool { get }

  /// Called before the first request.
  /// - Throws: ``ServerConfigurationError`` for a place that can't be used.
  func open() async throws
  /// - Throws: `NewzuluFailure.diskFull` if there is no room for so many bytes.
  func checkSpace(for size: Int) async throws
  /// Begins a part.
  func begin(_ name: String, ofUpload id: Int64, size: Int) async throws -> any PartWriter
  /// Reads a part, a piece after another.
  func read(_ name: String, ofUpload id: Int64, _ take: (ByteBuffer) async throws -> Void) async throws
  /// Removes a part that does not count.
  func remove(_ name: String, ofUpload id: Int64) async
  /// The names of an upload's parts that no server is writing.
  func names(ofUpload id: Int64) async -> [String]
  /// The uploads of which there may be parts that were left by a killed server.
  func uploads() async -> [Int64]
  /// Releases what it has open.
  func close() async
}

/// A part on its way into a store. One of ``finish()`` and ``discard()`` has to be called.
protocol PartWriter: Sendable {
  mutating func write(_ bytes: ByteBuffer) async throws
  /// Makes the part durable. It is complete then.
  mutating func finish() async throws
  /// Removes what was written.
  mutating func discard() async
}

/// Where parts are stored.
struct PartPlace: Sendable {
  /// The sentence, or the path, for the operator.
  var text: String
  /// Whether servers on one database have to share it by other means.
  var mustBeShared: Bool
  /// The same for programs.
  var members: [String: JSONValue]
}
