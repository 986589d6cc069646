/// Where a guess comes from, from the narrowest network to the widest. An owner of addresses is given an IPv4 address or an
/// IPv6 /64 at least, often a /48; an internet provider a /32.
struct GuessNetwork: Hashable, Sendable {
  /// The IPv4 address, or the IPv6 /64.
  let host: [UInt8]
  /// The IPv4 /24, or the IPv6 /48.
  let site: [UInt8]
  /// The IPv6 /32; IPv4 is given out in smaller pieces.
  let provider: [UInt8]?

  init(_ address: ClientAddress) {
    host = address.bucket
    let isFour = address.bytes.count == 4
    site = Array(address.bytes.prefix(isFour ? 3 : 6))
    provider = isFour ? nil : Array(address.bytes.prefix(4))
  }
}
