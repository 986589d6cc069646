import HTTPTypes
import OstiaryCore

extension DoorRequest {
  /// The most languages that are read from a request.
  private static let mostLanguages = 20

  /// The languages that the reader understands, the best first (RFC 9110, section 12.5.4). A range with the weight 0 and `*` name none.
  var languages: [String] {
    let ranges = headers[values: .acceptLanguage].flatMap(\.listElements).prefix(Self.mostLanguages)
    let weighed = ranges.compactMap { range -> (name: String, weight: Int)? in
      let parts = range.byteParts(at: ";").map(\.trimmingBlanks)
      guard let name = parts.first, !name.isEmpty, name.utf8.count <= 35, !name.hasSameBytes(as: "*") else {
        return nil
      }
      let weight = Self.weight(parts.dropFirst().first { $0.lowercasedASCII.hasBytePrefix("q=") }.map(String.init))
      return weight == 0 ? nil : (String(name), weight)
    }
    return weighed.enumerated()
      .sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
      .map(\.element.name)
  }

  /// Thousandths; 1000 without a weight, and 0 for what is none (section 12.4.2).
  private static func weight(_ text: String?) -> Int {
    guard let digits = text?.utf8.dropFirst(2) else { return 1000 }
    guard let first = digits.first, first == UInt8(ascii: "0") || first == UInt8(ascii: "1") else { return 0 }
    if digits.count == 1 { return first == UInt8(ascii: "1") ? 1000 : 0 }
    let fraction = digits.dropFirst(2)
    guard digits.dropFirst().first == UInt8(ascii: "."), fraction.count <= 3,
      fraction.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return 0 }
    if first == UInt8(ascii: "1") { return fraction.allSatisfy { $0 == UInt8(ascii: "0") } ? 1000 : 0 }
    let padded = Array(fraction) + Array(repeating: UInt8(ascii: "0"), count: 3 - fraction.count)
    return padded.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }
}
