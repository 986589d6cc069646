/// Whether a client reads what it is sent, as a value.
///
/// In each period it must take ``least`` bytes, or all that there are.
struct WriteProgress: Sendable, Hashable {
  /// How many bytes a client must take in a period.
  static let least = 16 << 10

  /// Bytes given to the connection.
  private var given = 0
  /// Bytes taken by the client, as far as its system's buffers tell, at the start of the period.
  private var takenBefore = 0
  /// Whether something had been waiting for the client when the period began.
  private var wasWaiting = false

  /// Bytes are given to the connection.
  mutating func give(_ count: Int) { given += count }

  /// A period is over.
  /// - Parameter waiting: bytes that were given and have not left.
  /// - Returns: whether the client has read too little.
  mutating func endPeriod(waiting: Int) -> Bool {
    let taken = given - waiting
    defer {
      takenBefore = taken
      wasWaiting = waiting > 0
    }
    return waiting > 0 && wasWaiting && taken - takenBefore < Self.least
  }
}
