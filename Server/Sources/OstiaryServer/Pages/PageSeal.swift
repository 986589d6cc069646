import Crypto
import Foundation

/// Writes what clients carry for the server and must not change: HMAC-SHA256 with a key that lives as long as the process,
/// unless it is given one that lives longer.
struct PageSeal: Sendable {
  private static let separator = "\u{1F}"
  private let key: SymmetricKey

  init(_ key: SymmetricKey = SymmetricKey(size: .bits256)) { self.key = key }

  /// Seals texts for one purpose until a time.
  func seal(_ purpose: StaticString, _ texts: [String], until end: Date) -> String {
    let content = ([String(Int64(end.timeIntervalSince1970))] + texts).joined(separator: Self.separator)
    let encoded = Array(content.utf8).base64URL
    return encoded + "." + code(purpose, encoded).base64URL
  }

  /// The texts, or nil where they were changed, sealed for another purpose or by another server, or are too old.
  func open(_ purpose: StaticString, _ sealed: String, at now: Date) -> [String]? {
    let parts = sealed.byteParts(at: ".")
    guard parts.count == 2, sealed.utf8.count <= 8192, let code = parts[1].decodedBase64URL,
      HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: message(purpose, String(parts[0])), using: key),
      let content = parts[0].decodedBase64URL.flatMap({ String(validating: $0, as: UTF8.self) })
    else { return nil }
    let texts = content.byteParts(at: "\u{1F}").map(String.init)
    guard let end = texts.first.flatMap(Int64.init), now.timeIntervalSince1970 < Double(end) else { return nil }
    return Array(texts.dropFirst())
  }

  /// A key that follows from the server's and from texts.
  func derivedKey(_ purpose: StaticString, _ texts: [String]) -> SymmetricKey {
    SymmetricKey(
      data: HMAC<SHA256>.authenticationCode(for: message(purpose, texts.joined(separator: Self.separator)), using: key))
  }

  private func code(_ purpose: StaticString, _ text: String) -> HMAC<SHA256>.MAC {
    HMAC<SHA256>.authenticationCode(for: message(purpose, text), using: key)
  }

  private func message(_ purpose: StaticString, _ text: String) -> [UInt8] {
    Array("\(purpose)\(Self.separator)\(text)".utf8)
  }
}
