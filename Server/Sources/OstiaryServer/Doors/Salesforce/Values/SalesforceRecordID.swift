internal import Crypto
import Foundation

/// An id as Salesforce writes them: 15 characters in which upper and lower case differ, or 18 characters. The last
/// three say which of the 15 are upper case, for programs that ignore case. Both are the same id.
package struct SalesforceRecordID: Hashable, Sendable, CustomStringConvertible {
  /// The 15 characters.
  package let short: String

  /// The digits of ids, in order.
  private static let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
  /// The characters of the last three: one for each of the 32 patterns of five.
  private static let patterns = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ012345".utf8)

  /// Reads an id in either form; nil for anything else, and for 18 characters whose last three don't fit.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 15 || bytes.count == 18, bytes.allSatisfy(Self.digits.contains) else { return nil }
    short = String(decoding: bytes.prefix(15), as: UTF8.self)
    guard bytes.count == 15 || long == text else { return nil }
  }

  /// - Parameter bytes: 15 of the digits.
  private init(unchecked bytes: [UInt8]) {
    short = String(decoding: bytes, as: UTF8.self)
  }

  /// The id of the kind that `prefix` names, derived from a text: it never changes.
  init(_ prefix: Prefix, derivedFrom text: String) {
    let digest = SHA256.hash(data: Data("ostiary.salesforce.\(prefix.rawValue).\(text)".utf8))
    self.init(unchecked: Array(prefix.rawValue.utf8) + digest.prefix(12).map { Self.digits[Int($0) % 62] })
  }

  /// The id of a numbered record.
  init(_ prefix: Prefix, number: Int64) {
    var (rest, tail) = (number.magnitude, [UInt8]())
    for _ in 0..<12 {
      tail.append(Self.digits[Int(rest % 62)])
      rest /= 62
    }
    self.init(unchecked: Array(prefix.rawValue.utf8) + tail.reversed())
  }

  /// The number of a record of that kind; nil for an id of another kind.
  func number(of prefix: Prefix) -> Int64? {
    guard short.hasPrefix(prefix.rawValue) else { return nil }
    var number: Int64 = 0
    for byte in short.utf8.dropFirst(3) {
      guard let digit = Self.digits.firstIndex(of: byte) else { return nil }
      let (product, overflows) = number.multipliedReportingOverflow(by: 62)
      let (sum, overflowsToo) = product.addingReportingOverflow(Int64(digit))
      guard !overflows, !overflowsToo else { return nil }
      number = sum
    }
    return number
  }

  /// The 18 characters.
  package var long: String {
    let bytes = Array(short.utf8)
    let tail = stride(from: 0, to: 15, by: 5).map { start in
      let pattern = (0..<5).reduce(0) { sum, place in
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[start + place]) ? sum | 1 << place : sum
      }
      return Self.patterns[pattern]
    }
    return short + String(decoding: tail, as: UTF8.self)
  }

  /// The 18 characters.
  package var description: String { long }

  /// The first three characters: the kind of record.
  enum Prefix: String, Sendable {
    case organization = "00D"
    case user = "005"
    case community = "0DB"
    case profile = "00e"
    case theCase = "500"
    case pushDevice = "0SR"
  }
}
