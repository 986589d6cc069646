import Crypto
import Foundation
import OstiaryCore

/// The servlet of a request: the same requests work at each servlet.
struct PegaServlet: Sendable {
  /// Below the context path. `:service` and `:alias` match any name.
  static let patterns = ["/PRServlet", "/PRServletCustom", "/PRAuth/:service", "/PRAuth/app/:alias", "/app/:alias"]

  /// The servlet's path, percent-encoded.
  let path: String

  /// - Parameter pattern: One of ``patterns``.
  init(contextPath: String, pattern: String, parameters: [String: String]) {
    path =
      contextPath
      + pattern.byteParts(at: "/").filter { !$0.isEmpty }.map { segment in
        "/"
          + Self.encode(
            segment.hasBytePrefix(":") ? parameters[String(segment.droppingBytes(1))] ?? "" : String(segment))
      }.joined()
  }

  /// The address of one session's pages.
  func pagePath(of session: Secret) -> String {
    "\(path)/\(Self.hash(of: session))*/!STANDARD"
  }

  /// The session's hash in its addresses: 32 URL-safe characters that are derived from the session id and don't reveal
  /// it. A page of another site can't know it; the login form therefore posts to it.
  static func hash(of session: Secret) -> String {
    let digest = SHA256.hash(data: Array(("ostiary.pega.hash." + session.reveal()).utf8))
    return digest.prefix(24).base64URL
  }

  private static func encode(_ segment: String) -> String {
    segment.utf8.map { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: String(UnicodeScalar(byte))
      default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }.joined()
  }
}
