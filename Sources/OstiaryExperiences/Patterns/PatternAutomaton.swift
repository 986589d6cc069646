/// An expression as the places that a match can be at (Glushkov's automaton): a character leads from a set of places to the
/// next one in a number of steps that depends on the expression alone.
struct PatternAutomaton: Sendable {
  /// How many words of 64 places a set has.
  private let width: Int
  private let isNullable: Bool
  private let first: [UInt64]
  private let last: [UInt64]
  /// The places that lead to the one after them.
  private let steps: [UInt64]
  /// Sets of places, each followed by the set of places that these lead to besides: two `width` words each.
  private let jumps: [UInt64]
  /// Where a run of characters begins that all classes treat alike; the first is 0.
  private let bounds: [UInt32]
  /// The places that a character of a run may be at, `width` words for each run.
  private let masks: [UInt64]
  /// The run of each character of ASCII.
  private let runsOfASCII: [Int]

  /// The work of one character: see ``Pattern/maximumSize``.
  var size: Int { width + jumps.count / 2 }

  /// - Returns: `nil` when there are too many places.
  init?(_ node: PatternNode) {
    var builder = PatternBuilder()
    guard let whole = builder.build(node) else { return nil }
    let count = builder.sets.count
    width = max(1, (count + 63) / 64)
    isNullable = whole.isNullable
    first = whole.first.words(width)
    last = whole.last.words(width)
    let width = width
    let moves = [Moves(builder.following, keepsShared: true), Moves(builder.following, keepsShared: false)]
    let best = moves[0].jumps.count < moves[1].jumps.count ? moves[0] : moves[1]
    steps = best.steps.words(width)
    jumps = best.jumps.flatMap { $1.words(width) + $0.words(width) }

    var bounds: Set<UInt32> = [0]
    for set in builder.sets { set.addBounds(to: &bounds) }
    let sorted = bounds.sorted()
    self.bounds = sorted
    // Places of one class have the same characters: what a run of characters is in, is asked once for each class.
    var classes: [Int: (set: PatternSet, places: PlaceSet)] = [:]
    for (place, set) in builder.sets.enumerated() {
      classes[builder.numbers[place], default: (set, PlaceSet())].places.insert(place)
    }
    let places = classes.values.map { ($0.set, $0.places.words(width)) }
    var masks = [UInt64](repeating: 0, count: sorted.count * width)
    for (run, bound) in sorted.enumerated() {
      guard let scalar = Unicode.Scalar(bound) ?? Unicode.Scalar(0xE000) else { continue }
      for (set, words) in places where set.contains(scalar) {
        for word in 0..<width { masks[run * width + word] |= words[word] }
      }
    }
    self.masks = masks
    runsOfASCII = (0..<128).map { value in (sorted.firstIndex { $0 > UInt32(value) } ?? sorted.count) - 1 }
  }

  /// Which places lead to the next one, and which sets of places lead elsewhere.
  private struct Moves {
    var steps = PlaceSet()
    /// The places that lead there, by where they lead.
    var jumps: [PlaceSet: PlaceSet] = [:]

    /// - Parameter keepsShared: whether places that lead to the same several places have one jump for all of these,
    ///   the next place included.
    init(_ following: [PlaceSet], keepsShared: Bool) {
      var uses: [PlaceSet: Int] = [:]
      if keepsShared { for set in following { uses[set, default: 0] += 1 } }
      for (place, set) in following.enumerated() where !set.isEmpty {
        var other = set
        if uses[set, default: 0] < 2, other.remove(place + 1) { steps.insert(place) }
        if !other.isEmpty { jumps[other, default: PlaceSet()].insert(place) }
      }
    }
  }

  func matches(_ text: String) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2 * width) { buffer in
      buffer.initialize(repeating: 0)
      var places = UnsafeMutableBufferPointer(rebasing: buffer[..<width])
      var next = UnsafeMutableBufferPointer(rebasing: buffer[width...])
      var isBeginning = true
      for scalar in text.unicodeScalars {
        if isBeginning {
          for word in 0..<width { next[word] = first[word] }
          isBeginning = false
        } else {
          advance(places, to: next)
        }
        let mask = run(of: scalar) * width
        var all: UInt64 = 0
        for word in 0..<width {
          next[word] &= masks[mask + word]
          all |= next[word]
        }
        if all == 0 { return false }
        swap(&places, &next)
      }
      return isBeginning ? isNullable : (0..<width).contains { places[$0] & last[$0] != 0 }
    }
  }

  /// Whether there is a text that matches and has so many characters: see ``Pattern/hasMatch(of:among:)``.
  func hasMatch(of lengths: ClosedRange<Int>, among alphabet: String?) -> Bool {
    if isNullable, lengths.contains(0) { return true }
    let runs = alphabet.map { $0.utf8.filter { $0 < 128 }.map { runsOfASCII[Int($0)] } } ?? Array(bounds.indices)
    // A place that no character may be at is part of no match.
    var possible = [UInt64](repeating: 0, count: width)
    for run in runs { for word in 0..<width { possible[word] |= masks[run * width + word] } }
    return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2 * width) { buffer in
      buffer.initialize(repeating: 0)
      var places = UnsafeMutableBufferPointer(rebasing: buffer[..<width])
      var next = UnsafeMutableBufferPointer(rebasing: buffer[width...])
      for length in 1...max(1, lengths.upperBound) {
        if length == 1 {
          for word in 0..<width { next[word] = first[word] }
        } else {
          advance(places, to: next)
        }
        var (all, new, ends): (UInt64, UInt64, UInt64) = (0, 0, 0)
        for word in 0..<width {
          next[word] &= possible[word]
          all |= next[word]
          new |= next[word] ^ places[word]
          ends |= next[word] & last[word]
        }
        if all == 0 { return false }
        // Where nothing changes any more, all longer texts are like this one.
        let isLikeLonger = length > 1 && new == 0
        if ends != 0, isLikeLonger || lengths.contains(length) { return true }
        if isLikeLonger { return false }
        swap(&places, &next)
      }
      return false
    }
  }

  /// Whether there is a text of a shape that matches and has so many characters: see ``Pattern/hasMatch(of:in:)``.
  func hasMatch(of lengths: ClosedRange<Int>, in shape: TextShape) -> Bool {
    let steps = shape.steps.map { (from: $0.from, to: $0.to, mask: mask(of: $0)) }
    var places = [[UInt64]](repeating: [UInt64](repeating: 0, count: width), count: shape.states)
    let none = places
    for length in 1...max(1, min(lengths.upperBound, TextShape.longest)) {
      var next = none
      let moved = places.indices.map { length == 1 ? ($0 == 0 ? first : none[0]) : following(places[$0]) }
      for step in steps {
        for word in 0..<width { next[step.to][word] |= moved[step.from][word] & step.mask[word] }
      }
      if next == none { return false }
      // Where nothing changes any more, all longer texts are like this one.
      let isLikeLonger = length > 1 && next == places
      if shape.ends.contains(where: { isEnd(next[$0]) }), isLikeLonger || lengths.contains(length) { return true }
      if isLikeLonger { return false }
      places = next
    }
    return lengths.upperBound > TextShape.longest
  }

  /// Whether there is a text that matches and stands between two others: see ``Pattern/hasMatch(between:and:)``.
  func hasMatch(between low: String, and high: String) -> Bool {
    let (low, high) = (Array(low.utf8), Array(high.utf8))
    guard low.count == high.count, !low.isEmpty else { return false }
    let none = [[UInt64]](repeating: [UInt64](repeating: 0, count: width), count: 4)
    // By whether the beginning of a text is that of the low one (1), and that of the high one (2).
    var places = none
    for index in low.indices {
      var next = none
      for beginning in (index == 0 ? 3...3 : 0...3) {
        let moved = index == 0 ? first : following(places[beginning])
        let (isLow, isHigh) = (beginning & 1 != 0, beginning & 2 != 0)
        let isDigit = low[index] &- 48 < 10
        let least = isLow || !isDigit ? low[index] : 48
        let most = isHigh || !isDigit ? high[index] : 57
        guard least <= most else { continue }
        for byte in least...most where byte < 128 {
          let after = (isLow && byte == low[index] ? 1 : 0) + (isHigh && byte == high[index] ? 2 : 0)
          let mask = runsOfASCII[Int(byte)] * width
          for word in 0..<width { next[after][word] |= moved[word] & masks[mask + word] }
        }
      }
      if next == none { return false }
      places = next
    }
    return places.contains { isEnd($0) }
  }

  private func isEnd(_ places: [UInt64]) -> Bool { (0..<width).contains { places[$0] & last[$0] != 0 } }

  /// The places that one of a step's characters may be at.
  private func mask(of step: TextShape.Step) -> [UInt64] {
    var runs = Set(step.characters.utf8.filter { $0 < 128 }.map { runsOfASCII[Int($0)] })
    if step.takesOthers { runs.formUnion(run(of: "\u{80}")..<bounds.count) }
    var mask = [UInt64](repeating: 0, count: width)
    for run in runs { for word in 0..<width { mask[word] |= masks[run * width + word] } }
    return mask
  }

  private func following(_ places: [UInt64]) -> [UInt64] {
    guard places.contains(where: { $0 != 0 }) else { return places }
    return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2 * width) { buffer in
      buffer.initialize(repeating: 0)
      for word in 0..<width { buffer[word] = places[word] }
      let next = UnsafeMutableBufferPointer(rebasing: buffer[width...])
      advance(UnsafeMutableBufferPointer(rebasing: buffer[..<width]), to: next)
      return Array(next)
    }
  }

  /// The places that a set of places leads to.
  private func advance(_ places: UnsafeMutableBufferPointer<UInt64>, to next: UnsafeMutableBufferPointer<UInt64>) {
    var carry: UInt64 = 0
    for word in 0..<width {
      let moved = places[word] & steps[word]
      next[word] = moved << 1 | carry
      carry = moved >> 63
    }
    jumps.withUnsafeBufferPointer { jumps in
      var jump = 0
      while jump < jumps.count {
        var isFrom: UInt64 = 0
        for word in 0..<width { isFrom |= places[word] & jumps[jump + word] }
        if isFrom != 0 { for word in 0..<width { next[word] |= jumps[jump + width + word] } }
        jump += 2 * width
      }
    }
  }

  /// The run that a character is in.
  private func run(of scalar: Unicode.Scalar) -> Int {
    if scalar.value < 128 { return runsOfASCII[Int(scalar.value)] }
    var (low, high) = (0, bounds.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if bounds[middle] <= scalar.value { low = middle } else { high = middle }
    }
    return low
  }
}

extension PatternSet {
  /// Where a run of characters begins that the class has or has not.
  fileprivate func addBounds(to bounds: inout Set<UInt32>) {
    for range in ranges {
      bounds.insert(range.lowerBound.value)
      bounds.insert(range.upperBound.value + 1)
    }
    for set in excluded { set.addBounds(to: &bounds) }
  }
}
