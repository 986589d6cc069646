import HTTPTypes
import OstiaryCore

/// The hosts that a request may name (`Host`).
///
/// In development the server answers for this machine and for the configured hosts only. Without this check a page whose own name
/// resolves to 127.0.0.1 (DNS rebinding) could read the mailbox: its browser would treat the answers as the page's own.
struct ServedHosts: Sendable {
  private static let field = HTTPField.Name("Host")
  /// Nil serves every host.
  private let own: Set<String>?
  /// The one that was served last, as it was written: nearly always the next is the same.
  private let last = Locked<String?>(nil)

  /// - Parameter own: The hosts besides this machine; nil serves every host.
  init(own: Set<String>?) { self.own = own }

  /// Why a request is not served.
  enum Problem: Sendable {
    case malformed, unknownHost

    /// The status to answer with.
    var status: HTTPResponse.Status {
      switch self {
      case .malformed: .badRequest
      case .unknownHost: .misdirectedRequest
      }
    }
  }

  /// The problem of a request's host; nil if it is served.
  /// - Parameter others: The fields, from which the first `Host` has been taken for `authority`.
  func problem(authority: String?, others: HTTPFields) -> Problem? {
    // RFC 9112 §3.2: none, two, and a text that is no host.
    guard let authority, Self.field.map({ !others.contains($0) }) ?? true else { return .malformed }
    if last.withLock({ $0?.hasSameBytes(as: authority) == true }) { return nil }
    guard let named = Origin(scheme: "http", authority: authority) else { return .malformed }
    guard let own, !named.isLoopback, !own.contains(named.host) else {
      last.withLock { $0 = authority }
      return nil
    }
    return .unknownHost
  }
}
