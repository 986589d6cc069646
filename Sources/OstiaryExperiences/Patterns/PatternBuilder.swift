/// Numbers the places of an expression and finds out which can follow which.
struct PatternBuilder {
  /// The class of each place.
  private(set) var sets: [PatternSet] = []
  /// The number of each place's class within the expression.
  private(set) var numbers: [Int] = []
  /// The places that may come after a place.
  private(set) var following: [PlaceSet] = []
  private var work = 0

  /// What a part begins and ends with.
  struct Part {
    var isNullable = true
    var first = PlaceSet()
    var last = PlaceSet()
  }

  /// More parts than any expression of places needs.
  private static let mostWork = 20_000

  /// - Returns: `nil` when there are too many places.
  mutating func build(_ node: PatternNode) -> Part? {
    work += 1
    guard work <= Self.mostWork else { return nil }
    switch node {
    case .set(let set, let number):
      let place = sets.count
      guard place < Pattern.maximumPlaces else { return nil }
      sets.append(set)
      numbers.append(number)
      following.append(PlaceSet())
      var only = PlaceSet()
      only.insert(place)
      return Part(isNullable: false, first: only, last: only)
    case .sequence(let nodes):
      var whole = Part()
      for node in nodes {
        guard let part = build(node) else { return nil }
        whole = join(whole, part)
      }
      return whole
    case .alternatives(let nodes):
      var whole = Part(isNullable: false)
      for node in nodes {
        guard let part = build(node) else { return nil }
        whole.isNullable = whole.isNullable || part.isNullable
        whole.first.formUnion(part.first)
        whole.last.formUnion(part.last)
      }
      return whole
    case .repetition(let node, let least, let most): return repeated(node, least, most)
    }
  }

  private mutating func repeated(_ node: PatternNode, _ least: Int, _ most: Int?) -> Part? {
    guard most != 0 else { return Part() }
    var copies: [Part] = []
    for _ in 0..<max(most ?? least, 1) {
      let before = sets.count
      guard let part = build(node) else { return nil }
      // What matches nothing matches nothing more when it is repeated.
      if sets.count == before { return part }
      copies.append(part)
    }
    if most == nil {
      let part = copies[copies.count - 1]
      connect(part.last, to: part.first)
    }
    // From the end: `a{1,3}` is `a(a(a)?)?`, so that each place leads to one more and to the end.
    var whole = Part()
    for (place, part) in copies.enumerated().reversed() {
      whole = join(part, whole)
      if place >= least { whole.isNullable = true }
    }
    return whole
  }

  private mutating func join(_ left: Part, _ right: Part) -> Part {
    connect(left.last, to: right.first)
    var whole = Part(isNullable: left.isNullable && right.isNullable, first: left.first, last: right.last)
    if left.isNullable { whole.first.formUnion(right.first) }
    if right.isNullable { whole.last.formUnion(left.last) }
    return whole
  }

  private mutating func connect(_ places: PlaceSet, to others: PlaceSet) {
    places.forEach { following[$0].formUnion(others) }
  }
}

/// A set of places.
struct PlaceSet: Hashable {
  private var bits: [UInt64] = []

  var isEmpty: Bool { bits.isEmpty }

  mutating func insert(_ place: Int) {
    while bits.count <= place / 64 { bits.append(0) }
    bits[place / 64] |= 1 << UInt64(place % 64)
  }

  /// - Returns: Whether it was there.
  mutating func remove(_ place: Int) -> Bool {
    guard place / 64 < bits.count, bits[place / 64] & 1 << UInt64(place % 64) != 0 else { return false }
    bits[place / 64] &= ~(1 << UInt64(place % 64))
    while bits.last == 0 { bits.removeLast() }
    return true
  }

  mutating func formUnion(_ other: Self) {
    while bits.count < other.bits.count { bits.append(0) }
    for (word, more) in other.bits.enumerated() { bits[word] |= more }
  }

  func forEach(_ body: (Int) -> Void) {
    for (word, var rest) in bits.enumerated() {
      while rest != 0 {
        body(word * 64 + rest.trailingZeroBitCount)
        rest &= rest - 1
      }
    }
  }

  /// The set as that many words.
  func words(_ count: Int) -> [UInt64] { bits + [UInt64](repeating: 0, count: max(0, count - bits.count)) }
}
