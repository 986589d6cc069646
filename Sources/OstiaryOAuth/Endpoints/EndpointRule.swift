internal import Foundation
internal import OstiaryCore

/// Which addresses may be a server's: absolute `https` URLs on any host, without a user name and a fragment (RFC 6749 §3.1 and
/// §3.2, RFC 8414 §2).
struct EndpointRule: Sendable {
  /// Whether `http` addresses may be other hosts'.
  var allowsPlainHTTP = false
  /// Whether `http` addresses may be this machine's. A document from elsewhere has no business there.
  var allowsLoopback = true

  /// Why an address is refused.
  enum Problem: Sendable, Hashable {
    case notAbsolute
    case notEncrypted(Origin)
  }

  /// Why an address is refused; `nil` when it may be a server's.
  func problem(of address: URL) -> Problem? {
    guard let origin = Origin(address), address.user() == nil, address.password() == nil, address.fragment() == nil
    else {
      return .notAbsolute
    }
    let isAllowed = origin.isSecure || allowsPlainHTTP || (allowsLoopback && origin.isLoopback)
    return isAllowed ? nil : .notEncrypted(origin)
  }

  /// The address that a document's text is; `nil` for a text that two programs could read differently: Foundation mends
  /// what is no address.
  static func address(_ text: String) -> URL? {
    let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\"<>\\^`{|}".utf8.contains($0) }
    guard isPlain, text.utf8.count <= maximumLength, let url = URL(string: text) else { return nil }
    return url.absoluteString.hasSameBytes(as: text) ? url : nil
  }

  /// Longer ones than servers have, in bytes.
  private static let maximumLength = 2048
}
