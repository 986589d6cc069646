/// The modules of a QR code: patterns first, then the codewords around them, then a mask (ISO/IEC 18004 §7.3, §7.7 and §7.8).
struct QRMatrix: Sendable {
  private let version: QRVersion
  private(set) var modules: [Bool]
  /// The modules of patterns, which no mask changes.
  private var isPattern: [Bool]
  private var size: Int { version.size }

  init(_ version: QRVersion) {
    self.version = version
    modules = [Bool](repeating: false, count: version.size * version.size)
    isPattern = modules
    drawPatterns()
  }

  private subscript(x: Int, y: Int) -> Bool { modules[y * size + x] }

  /// Sets a module of a pattern.
  private mutating func draw(_ x: Int, _ y: Int, _ isDark: Bool) {
    guard (0..<size).contains(x), (0..<size).contains(y) else { return }
    modules[y * size + x] = isDark
    isPattern[y * size + x] = true
  }

  // MARK: Patterns

  private mutating func drawPatterns() {
    for index in 0..<size {
      draw(6, index, index % 2 == 0)
      draw(index, 6, index % 2 == 0)
    }
    for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] { drawSquare(x, y, radius: 4, light: [2, 4]) }
    let places = version.alignment
    for x in places {
      for y in places {
        // Three corners have finder patterns.
        let isCorner = [(6, 6), (6, size - 7), (size - 7, 6)].contains { $0 == (x, y) }
        if !isCorner { drawSquare(x, y, radius: 2, light: [1]) }
      }
    }
    drawFormat(mask: 0)
    drawVersion()
  }

  private mutating func drawSquare(_ x: Int, _ y: Int, radius: Int, light: Set<Int>) {
    for dy in -radius...radius {
      for dx in -radius...radius { draw(x + dx, y + dy, !light.contains(max(abs(dx), abs(dy)))) }
    }
  }

  /// Level and mask, twice.
  private mutating func drawFormat(mask: Int) {
    // Level L is 01.
    let data = 1 << 3 | mask
    var remainder = data
    for _ in 0..<10 { remainder = remainder << 1 ^ (remainder >> 9) * 0x537 }
    let bits = (data << 10 | remainder) ^ 0x5412
    func bit(_ place: Int) -> Bool { bits >> place & 1 == 1 }
    for place in 0..<6 { draw(8, place, bit(place)) }
    draw(8, 7, bit(6))
    draw(8, 8, bit(7))
    draw(7, 8, bit(8))
    for place in 9..<15 { draw(14 - place, 8, bit(place)) }
    for place in 0..<8 { draw(size - 1 - place, 8, bit(place)) }
    for place in 8..<15 { draw(8, size - 15 + place, bit(place)) }
    draw(8, size - 8, true)
  }

  private mutating func drawVersion() {
    guard version.number >= 7 else { return }
    var remainder = version.number
    for _ in 0..<12 { remainder = remainder << 1 ^ (remainder >> 11) * 0x1F25 }
    let bits = version.number << 12 | remainder
    for place in 0..<18 {
      let (a, b) = (size - 11 + place % 3, place / 3)
      draw(a, b, bits >> place & 1 == 1)
      draw(b, a, bits >> place & 1 == 1)
    }
  }

  // MARK: Codewords

  /// Places the codewords in columns of two modules, from the right, up and down in turn.
  mutating func place(_ codewords: [UInt8]) {
    var index = 0
    var right = size - 1
    while right >= 1 {
      // The column of the timing pattern is left out.
      if right == 6 { right = 5 }
      for step in 0..<size {
        let y = (right + 1) & 2 == 0 ? size - 1 - step : step
        for x in [right, right - 1] where !isPattern[y * size + x] && index < codewords.count * 8 {
          modules[y * size + x] = codewords[index / 8] >> UInt8(7 - index % 8) & 1 == 1
          index += 1
        }
      }
      right -= 2
    }
  }

  // MARK: Masks

  /// The same under one of the eight masks.
  func masked(_ mask: Int) -> QRMatrix {
    var result = self
    for y in 0..<size {
      for x in 0..<size where !isPattern[y * size + x] && Self.isFlipped(mask, x, y) {
        result.modules[y * size + x].toggle()
      }
    }
    result.drawFormat(mask: mask)
    return result
  }

  private static func isFlipped(_ mask: Int, _ x: Int, _ y: Int) -> Bool {
    switch mask {
    case 0: (x + y) % 2 == 0
    case 1: y % 2 == 0
    case 2: x % 3 == 0
    case 3: (x + y) % 3 == 0
    case 4: (x / 3 + y / 2) % 2 == 0
    case 5: x * y % 2 + x * y % 3 == 0
    case 6: (x * y % 2 + x * y % 3) % 2 == 0
    default: ((x + y) % 2 + x * y % 3) % 2 == 0
    }
  }

  /// How hard it is to read (ISO/IEC 18004 §7.8.3): runs of one colour, squares, what looks like a finder pattern, and an imbalance.
  var penalty: Int {
    var sum = 0
    for line in 0..<size {
      sum += Self.penalty(of: (0..<size).map { self[$0, line] }) + Self.penalty(of: (0..<size).map { self[line, $0] })
    }
    for y in 0..<(size - 1) {
      for x in 0..<(size - 1)
      where self[x, y] == self[x + 1, y] && self[x, y] == self[x, y + 1] && self[x, y] == self[x + 1, y + 1] {
        sum += 3
      }
    }
    let dark = modules.count(where: { $0 })
    return sum + abs(dark * 20 - modules.count * 10) / modules.count * 10
  }

  private static func penalty(of line: [Bool]) -> Int {
    var (sum, run) = (0, 1)
    for index in 1..<line.count {
      run = line[index] == line[index - 1] ? run + 1 : 1
      if run == 5 { sum += 3 } else if run > 5 { sum += 1 }
    }
    let finder = [true, false, true, true, true, false, true]
    let light = [Bool](repeating: false, count: 4)
    for pattern in [finder + light, light + finder] {
      for start in 0...(line.count - pattern.count) where line[start..<(start + pattern.count)].elementsEqual(pattern) {
        sum += 40
      }
    }
    return sum
  }
}
