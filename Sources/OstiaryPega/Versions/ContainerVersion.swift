internal import Foundation

/// A version of the client, as numbers between dots: 7.10 is later than 7.9.
struct ContainerVersion: Sendable, Hashable, Comparable {
  private let numbers: [UInt64]

  /// Reads a version; `nil` for anything but numbers between dots.
  init?(_ text: String) {
    let parts = text.trimmingCharacters(in: .whitespaces).split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 8 else { return nil }
    var numbers: [UInt64] = []
    for part in parts {
      guard part.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let number = UInt64(part)
      else { return nil }
      numbers.append(number)
    }
    // 7 and 7.0 are the same version.
    while numbers.last == 0 { numbers.removeLast() }
    self.numbers = numbers
  }

  static func < (lhs: ContainerVersion, rhs: ContainerVersion) -> Bool {
    lhs.numbers.lexicographicallyPrecedes(rhs.numbers)
  }
}
