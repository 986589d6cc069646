import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The client's address, as far as it can be trusted: the peer's address, or the one that a trusted proxy reports.
package struct ClientAddress: Hashable, Sendable, CustomStringConvertible {
  /// The address as it is logged.
  package let description: String
  /// The whole address, four bytes or sixteen.
  let bytes: [UInt8]
  /// The key by which failures are counted: the IPv4 address, or the first 64 bits of the IPv6 address, which is the
  /// block that a customer gets.
  var bucket: [UInt8] { bytes.count == 4 ? bytes : Array(bytes.prefix(8)) }

  /// The key for limits of connections and requests; nil for this machine, whose programs share an address.
  var limitBucket: [UInt8]? { isLoopback ? nil : bucket }

  /// Whether it is this machine.
  var isLoopback: Bool {
    bytes.count == 4 ? bytes[0] == 127 : bytes == Array(repeating: 0, count: 15) + [1]
  }

  /// Reads a numeric IPv4 or IPv6 address, with or without a zone; nil for any other text.
  package init?(_ text: String) {
    guard text.utf8.count <= 128, !text.utf8.contains(0) else { return nil }
    let numeric = String(text.bytePrefix(before: "%"))
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, numeric, &four) == 1 {
      bytes = withUnsafeBytes(of: &four) { Array($0) }
    } else if inet_pton(AF_INET6, numeric, &six) == 1 {
      let whole = withUnsafeBytes(of: &six) { Array($0) }
      // An IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2) is the IPv4 address.
      let mapped = whole.prefix(12).elementsEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF])
      bytes = mapped ? Array(whole.suffix(4)) : whole
    } else {
      return nil
    }
    description = numeric
  }
}
