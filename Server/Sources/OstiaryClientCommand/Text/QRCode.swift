/// A text as a QR code (ISO/IEC 18004): bytes, with the lowest error correction (L), in the smallest of its first 20 versions that
/// holds it. A terminal is read from nearby, so that little has to be corrected.
struct QRCode: Sendable, Equatable {
  /// How many modules each side has.
  let size: Int
  /// The dark modules, row by row.
  private(set) var modules: [Bool]

  /// - Parameter mask: which of the eight masks; `nil` for the one that reads best.
  /// - Returns: `nil` for a text of more than 858 bytes.
  init?(_ text: String, mask: Int? = nil) {
    let bytes = Array(text.utf8)
    guard let version = QRVersion.smallest(for: bytes.count) else { return nil }
    var matrix = QRMatrix(version)
    matrix.place(version.codewords(bytes))
    let masked = (0..<8).filter { mask == nil || mask == $0 }.map { matrix.masked($0) }
    guard let best = masked.min(by: { $0.penalty < $1.penalty }) else { return nil }
    size = version.size
    modules = best.modules
  }

  /// Whether a module is dark; none outside of the code is.
  func isDark(_ x: Int, _ y: Int) -> Bool {
    (0..<size).contains(x) && (0..<size).contains(y) && modules[y * size + x]
  }

  /// The modules around it that have to be light.
  static let quietZone = 4

  /// How many columns of a terminal it takes.
  var columns: Int { size + 2 * Self.quietZone }

  /// Two rows of modules a line.
  /// - Parameter isInverse: draws the light modules, for light letters on a dark ground.
  func lines(isInverse: Bool) -> [String] {
    let range = -Self.quietZone..<(size + Self.quietZone)
    return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { y in
      range.map { x in
        let isLast = y + 1 >= range.upperBound
        let top = isDark(x, y) != isInverse
        let bottom = isLast ? false : isDark(x, y + 1) != isInverse
        return switch (top, bottom) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
      }.joined()
    }
  }
}

/// How large a code is, and how its bytes are protected (ISO/IEC 18004 §7.4 and §7.5, level L).
struct QRVersion: Sendable, Equatable {
  let number: Int

  var size: Int { number * 4 + 17 }

  /// The smallest version that holds so many bytes.
  static func smallest(for count: Int) -> QRVersion? {
    (1...parityLengths.count).lazy.map(QRVersion.init).first { version in
      count <= version.dataLength - (version.number < 10 ? 2 : 3)
    }
  }

  /// Of each block, for versions 1 to 20.
  private static let parityLengths = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28]
  private static let blockCounts = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8]

  private var parityLength: Int { Self.parityLengths[number - 1] }
  private var blockCount: Int { Self.blockCounts[number - 1] }

  /// All codewords that fit around the patterns.
  private var length: Int {
    var modules = (16 * number + 128) * number + 64
    if number >= 2 {
      let count = number / 7 + 2
      modules -= (25 * count - 10) * count - 55
      if number >= 7 { modules -= 36 }
    }
    return modules / 8
  }

  private var dataLength: Int { length - parityLength * blockCount }

  /// Where the centres of the alignment patterns are, in both directions.
  var alignment: [Int] {
    guard number > 1 else { return [] }
    let count = number / 7 + 2
    let step = (number * 8 + count * 3 + 5) / (count * 4 - 4) * 2
    return [6] + (0..<(count - 1)).map { size - 7 - $0 * step }.reversed()
  }

  /// The bytes with their header, padding and parity, in the order in which they are placed.
  func codewords(_ bytes: [UInt8]) -> [UInt8] {
    var bits: [Bool] = []
    func append(_ value: Int, _ count: Int) {
      for place in stride(from: count - 1, through: 0, by: -1) { bits.append(value >> place & 1 == 1) }
    }
    append(4, 4)
    append(bytes.count, number < 10 ? 8 : 16)
    for byte in bytes { append(Int(byte), 8) }
    append(0, min(4, dataLength * 8 - bits.count))
    append(0, (8 - bits.count % 8) % 8)
    var data = stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<(start + 8)].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
    }
    for index in 0..<max(0, dataLength - data.count) { data.append(index % 2 == 0 ? 0xEC : 0x11) }
    return interleaved(data)
  }

  private func interleaved(_ data: [UInt8]) -> [UInt8] {
    let shortCount = blockCount - length % blockCount
    let shortLength = length / blockCount - parityLength
    var (blocks, start) = ([[UInt8]](), 0)
    for block in 0..<blockCount {
      let end = start + shortLength + (block < shortCount ? 0 : 1)
      blocks.append(Array(data[start..<end]))
      start = end
    }
    let parity = blocks.map { QRParity(parityLength).remainder(of: $0) }
    var result: [UInt8] = []
    for column in 0...shortLength { result += blocks.compactMap { column < $0.count ? $0[column] : nil } }
    for column in 0..<parityLength { result += parity.map { $0[column] } }
    return result
  }
}

/// Reed-Solomon parity over the field of 256 elements (ISO/IEC 18004 §7.5.2).
private struct QRParity {
  private let divisor: [UInt8]

  init(_ length: Int) {
    var result = [UInt8](repeating: 0, count: length)
    result[length - 1] = 1
    var root: UInt8 = 1
    for _ in 0..<length {
      for index in 0..<length {
        result[index] = Self.product(result[index], root) ^ (index + 1 < length ? result[index + 1] : 0)
      }
      root = Self.product(root, 2)
    }
    divisor = result
  }

  func remainder(of data: [UInt8]) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: divisor.count)
    for byte in data {
      let factor = byte ^ result.removeFirst()
      result.append(0)
      for index in divisor.indices { result[index] ^= Self.product(divisor[index], factor) }
    }
    return result
  }

  private static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
    var result = 0
    for place in stride(from: 7, through: 0, by: -1) {
      result = result << 1 ^ (result >> 7) * 0x11D
      if b >> UInt8(place) & 1 == 1 { result ^= Int(a) }
    }
    return UInt8(truncatingIfNeeded: result)
  }
}
