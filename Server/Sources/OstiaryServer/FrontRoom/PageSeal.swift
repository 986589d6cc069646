import Crypto
import Foundation

/// What something is sealed for. What is sealed for one purpose opens for no other, nor for another version of the same.
struct SealPurpose: Hashable, Sendable {
  let name: String
  /// Counted up where what is sealed, or what it means, changes: the pages of the version before restart then.
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

/// Writes what browsers carry for one place of the server, a door or the account pages, and must not change: HMAC-SHA256 over
/// the place, the purpose and the text.
///
/// Its keys follow from the server's (HKDF), one for each place and version. So a page outlives the server's restart, and is
/// good at no other place.
struct PageSeal: Sendable {
  private static let separator = "\u{1F}"
  private let server: ServerKey
  private let place: String
  private let first: SymmetricKey

  /// - Parameter place: Names it for ever: with another name every page that is open restarts.
  init(_ server: ServerKey, of place: StaticString) {
    self.server = server
    self.place = place.description
    first = server.key(forPagesOf: place.description, version: 1)
  }

  /// Seals texts for one purpose until a time.
  func seal(_ purpose: SealPurpose, _ texts: [String], until end: Date) -> String {
    let content = ([String(Int64(end.timeIntervalSince1970))] + texts).joined(separator: Self.separator)
    let encoded = Array(content.utf8).base64URL
    return encoded + "."
      + HMAC<SHA256>.authenticationCode(for: message(purpose, encoded), using: key(of: purpose)).base64URL
  }

  /// The texts, or nil where they were changed, sealed for another purpose, at another place or by another server, or are
  /// too old.
  func open(_ purpose: SealPurpose, _ sealed: String, at now: Date) -> [String]? {
    let parts = sealed.byteParts(at: ".")
    guard parts.count == 2, sealed.utf8.count <= 8192, let code = parts[1].decodedBase64URL,
      HMAC<SHA256>.isValidAuthenticationCode(
        code, authenticating: message(purpose, String(parts[0])), using: key(of: purpose)),
      let content = parts[0].decodedBase64URL.flatMap({ String(validating: $0, as: UTF8.self) })
    else { return nil }
    let texts = content.byteParts(at: "\u{1F}").map(String.init)
    guard let end = texts.first.flatMap(Int64.init), now.timeIntervalSince1970 < Double(end) else { return nil }
    return Array(texts.dropFirst())
  }

  /// A key that follows from the server's, the purpose and texts.
  func derivedKey(_ purpose: SealPurpose, _ texts: [String]) -> SymmetricKey {
    let message = message(purpose, texts.joined(separator: Self.separator))
    return SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: message, using: key(of: purpose)))
  }

  private func key(of purpose: SealPurpose) -> SymmetricKey {
    purpose.version == 1 ? first : server.key(forPagesOf: place, version: purpose.version)
  }

  private func message(_ purpose: SealPurpose, _ text: String) -> [UInt8] {
    Array("\(place).\(purpose.name)\(Self.separator)\(text)".utf8)
  }
}
