import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Where a request came from, as far as it can be trusted: the peer's address, or what a trusted proxy says it is.
public struct ClientAddress: Hashable, Sendable, CustomStringConvertible {
  /// The address as it is logged.
  public let description: String
  /// What failures are counted by: the IPv4 address, or the first 64 bits of the IPv6 address, which is what a
  /// customer is given.
  let bucket: [UInt8]

  /// Reads a numeric IPv4 or IPv6 address, with or without a zone; nothing if it is neither.
  public init?(_ text: String) {
    guard text.utf8.count <= 128, !text.utf8.contains(0) else { return nil }
    let numeric = String(text.prefix { $0 != "%" })
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, numeric, &four) == 1 {
      bucket = withUnsafeBytes(of: &four) { Array($0) }
    } else if inet_pton(AF_INET6, numeric, &six) == 1 {
      let bytes = withUnsafeBytes(of: &six) { Array($0) }
      // An IPv4 address in IPv6 clothes (RFC 4291 §2.5.5.2) is the IPv4 address.
      let mapped = bytes.prefix(12).elementsEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF])
      bucket = Array(mapped ? bytes.suffix(4) : bytes.prefix(8))
    } else {
      return nil
    }
    description = numeric
  }
}
