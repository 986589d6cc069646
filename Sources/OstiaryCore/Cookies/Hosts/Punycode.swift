/// The ASCII form of labels with other letters (RFC 3492), for the rules of the public suffix list, which are already
/// in the normal form that IDNA asks for.
enum Punycode {
  /// `xn--…` for a label that is not ASCII, the label itself for one that is; `nil` for a label too long for DNS.
  static func encode(_ label: some StringProtocol) -> String? {
    if label.utf8.allSatisfy({ $0 < 0x80 }) { return String(label) }
    let scalars = label.unicodeScalars.prefix(64).map(\.value)
    guard scalars.count <= 63 else { return nil }
    var output = scalars.filter { $0 < 0x80 }.map { UInt8(truncatingIfNeeded: $0) }
    let basic = UInt32(output.count)
    if basic > 0 { output.append(UInt8(ascii: "-")) }

    var handled = basic
    var next: UInt32 = 128
    var delta: UInt32 = 0
    var bias: UInt32 = 72
    while handled < scalars.count {
      guard let smallest = scalars.filter({ $0 >= next }).min() else { return nil }
      // 63 scalars below 2^21 cannot overflow 32 bits.
      delta &+= (smallest &- next) &* (handled &+ 1)
      next = smallest
      for scalar in scalars {
        if scalar < next { delta &+= 1 }
        guard scalar == next else { continue }
        var rest = delta
        var base: UInt32 = 36
        while true {
          let threshold = base <= bias ? 1 : min(base &- bias, 26)
          if rest < threshold { break }
          output.append(digit(threshold &+ (rest &- threshold) % (36 &- threshold)))
          rest = (rest &- threshold) / (36 &- threshold)
          base &+= 36
        }
        output.append(digit(rest))
        bias = adapted(delta, count: handled &+ 1, isFirst: handled == basic)
        delta = 0
        handled &+= 1
      }
      delta &+= 1
      next &+= 1
    }
    return output.count <= 59 ? "xn--" + String(decoding: output, as: UTF8.self) : nil
  }

  private static func digit(_ value: UInt32) -> UInt8 {
    UInt8(truncatingIfNeeded: value < 26 ? value &+ 97 : value &+ 22)
  }

  private static func adapted(_ delta: UInt32, count: UInt32, isFirst: Bool) -> UInt32 {
    var delta = isFirst ? delta / 700 : delta / 2
    delta &+= delta / max(count, 1)
    var bias: UInt32 = 0
    while delta > 455 {
      delta /= 35
      bias &+= 36
    }
    return bias &+ 36 &* delta / (delta &+ 38)
  }
}
