/// Names of header fields as applications read them: as variables, in which case and the difference between `-`, `_` and `.` are
/// lost (RFC 3875 §4.1.18).
enum FieldNames {
  /// A name in lower case, with hyphens alone.
  static func normalized(_ name: some StringProtocol) -> String {
    let isNormal = name.utf8.allSatisfy {
      $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: ".") && !(0x41...0x5A).contains($0)
    }
    guard !isNormal else { return String(name) }
    return String(
      decoding: name.utf8.map { byte in
        switch byte {
        case UInt8(ascii: "_"), UInt8(ascii: "."): UInt8(ascii: "-")
        case 0x41...0x5A: byte | 0x20
        default: byte
        }
      }, as: UTF8.self)
  }

  /// Fields of a client that never reach an upstream, beside those about one connection and those about the user: where the request
  /// comes from, what it was before it was rewritten, and what it would rather be. The gateway tells the first anew, and has judged
  /// the method and the path that it was sent.
  static func isAboutTheRequest(_ normalized: String) -> Bool {
    normalized.hasBytePrefix("x-forwarded-") || normalized.hasBytePrefix("x-original-") || names.contains(normalized)
  }

  private static let names: Set<String> = [
    // Where it comes from.
    "forwarded", "via", "x-forwarded", "x-real-ip", "x-client-ip", "client-ip", "true-client-ip", "cf-connecting-ip",
    "cf-connecting-ipv6", "fastly-client-ip", "x-cluster-client-ip", "x-azure-clientip", "x-appengine-user-ip",
    "x-envoy-external-address", "x-envoy-internal", "x-remote-ip", "x-remote-addr", "x-forwarded-for", "remote-addr",
    // What it was, and what it would rather be.
    "x-rewrite-url", "x-host", "x-http-host-override", "x-http-method-override", "x-http-method", "x-method-override",
    "x-http-path-override", "x-override-url", "x-accel-redirect", "x-sendfile",
    // What the client library writes.
    "host", "content-length", "expect", "proxy",
  ]
}
