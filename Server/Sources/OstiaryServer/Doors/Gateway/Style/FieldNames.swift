/// Names of header fields as applications see them: as variables without case, and without a difference between `-`, `_` and `.`
/// (RFC 3875 §4.1.18).
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

  /// A client's fields that never reach an upstream, besides those about one connection and those about the user: fields about
  /// the request's source, about its form before a rewrite, and about overrides of method or path. The gateway sets the fields
  /// about the source itself, and has judged the method and the path of the actual request.
  static func isAboutTheRequest(_ normalized: String) -> Bool {
    normalized.hasBytePrefix("x-forwarded-") || normalized.hasBytePrefix("x-original-") || names.contains(normalized)
  }

  private static let names: Set<String> = [
    // The source of the request.
    "forwarded", "via", "x-forwarded", "x-real-ip", "x-client-ip", "client-ip", "true-client-ip", "cf-connecting-ip",
    "cf-connecting-ipv6", "fastly-client-ip", "x-cluster-client-ip", "x-azure-clientip", "x-appengine-user-ip",
    "x-envoy-external-address", "x-envoy-internal", "x-remote-ip", "x-remote-addr", "x-forwarded-for", "remote-addr",
    // The request before a rewrite, and overrides.
    "x-rewrite-url", "x-host", "x-http-host-override", "x-http-method-override", "x-http-method", "x-method-override",
    "x-http-path-override", "x-override-url", "x-accel-redirect", "x-sendfile",
    // Fields that the client library writes.
    "host", "content-length", "expect", "proxy",
  ]
}
