import Crypto
import Foundation

/// The purpose of a sealed text. A text sealed for one purpose can't be opened for another, or for another version of the same.
struct SealPurpose: Hashable, Sendable {
  let name: String
  /// Increased when the sealed text or its meaning changes: pages of the earlier version then restart.
  let version: Int

  init(_ name: StaticString, version: Int = 1) {
    self.name = name.description
    self.version = version
  }

  /// The number of a browser, in its cookie.
  static let browser = SealPurpose("browser")
  /// The form of a sign-in page.
  static let signIn = SealPurpose("sign-in")
  /// The form of a page that asks for consent.
  static let consent = SealPurpose("consent")
  /// The form that signs out.
  static let signOut = SealPurpose("logout")
}

/// Seals texts that browsers carry for one place of the server (a door or the account pages) and must not change: HMAC-SHA256
/// over the place, the purpose and the text.
///
/// Its keys are derived from the server's key (HKDF), one for each place and version. A page therefore stays valid
/// across a restart of the server, and is valid at no other place.
struct PageSeal: Sendable {
  private static let separator = "\u{1F}"
  private let server: KeyRing
  private let place: String

  /// - Parameter place: The place's permanent name: after a change of the name every open page restarts.
  init(_ server: KeyRing, of place: StaticString) {
    self.server = server
    self.place = place.description
  }

  /// Seals texts for one purpose until a time.
  func seal(_ purpose: SealPurpose, _ texts: [String], until end: Date) -> String {
    let content = ([String(Int64(end.timeIntervalSince1970))] + texts).joined(separator: Self.separator)
    let encoded = Array(content.utf8).base64URL
    return encoded + "."
      + HMAC<SHA256>.authenticationCode(for: message(purpose, encoded), using: keys(of: purpose).current.key).base64URL
  }

  /// The texts; nil if they were changed, sealed for another purpose, at another place or by another server, or are too
  /// old.
  func open(_ purpose: SealPurpose, _ sealed: String, at now: Date) -> [String]? {
    let parts = sealed.byteParts(at: ".")
    guard parts.count == 2, sealed.utf8.count <= 8192, let code = parts[1].decodedBase64URL,
      isGenuine(code, of: message(purpose, String(parts[0])), purpose),
      let content = parts[0].decodedBase64URL.flatMap({ String(validating: $0, as: UTF8.self) })
    else { return nil }
    let texts = content.byteParts(at: "\u{1F}").map(String.init)
    guard let end = texts.first.flatMap(Int64.init), now.timeIntervalSince1970 < Double(end) else { return nil }
    return Array(texts.dropFirst())
  }

  private func isGenuine(_ code: [UInt8], of message: [UInt8], _ purpose: SealPurpose) -> Bool {
    keys(of: purpose).all.contains { key in
      HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: message, using: key.key)
    }
  }

  /// A key derived from the server's key, the purpose and texts.
  func derivedKey(_ purpose: SealPurpose, _ texts: [String]) -> SymmetricKey {
    derivedKey(purpose, texts, keys(of: purpose).current.key)
  }

  /// The same of all keys of the server with which something may be sealed, the current one first.
  func derivedKeys(_ purpose: SealPurpose, _ texts: [String]) -> [SymmetricKey] {
    keys(of: purpose).all.map { derivedKey(purpose, texts, $0.key) }
  }

  private func derivedKey(_ purpose: SealPurpose, _ texts: [String], _ key: SymmetricKey) -> SymmetricKey {
    let message = message(purpose, texts.joined(separator: Self.separator))
    return SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: message, using: key))
  }

  private func keys(of purpose: SealPurpose) -> PurposeKeys {
    server.keys(forPagesOf: place, version: purpose.version)
  }

  private func message(_ purpose: SealPurpose, _ text: String) -> [UInt8] {
    Array("\(place).\(purpose.name)\(Self.separator)\(text)".utf8)
  }
}
