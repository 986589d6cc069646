import Crypto
import Foundation

/// A browser that has signed in here before, as its cookie says: a random number and, for each account that has signed in with
/// it, a tag that only this server can make.
///
/// A known device has a budget of its own: guesses from other devices don't lock the account's owner out. Ending all of a user's
/// sessions makes the device unknown.
struct KnownDevice: Hashable, Sendable {
  static let cookieName = "ostiary-device"
  /// The accounts to which one browser is known; the newest are kept.
  private static let mostAccounts = 6
  private static let idCount = 22
  private static let tagCount = 16
  private static let seconds = 400 * 86_400

  let id: String
  private let tags: [String]

  /// The content of a request's cookie; nil if there is no valid one.
  init?(_ request: DoorRequest) {
    let values = ["__Host-" + Self.cookieName, Self.cookieName].flatMap { request.cookies(named: $0) }
    guard let device = values.prefix(4).lazy.compactMap(KnownDevice.init(text:)).first else { return nil }
    self = device
  }

  private init?(text: String) {
    let parts = text.byteParts(at: ".").map(String.init)
    guard let id = parts.first, id.utf8.count == Self.idCount, parts.count <= Self.mostAccounts + 1,
      parts.dropFirst().allSatisfy({ $0.utf8.count == Self.tagCount })
    else { return nil }
    self.init(id: id, tags: Array(parts.dropFirst()))
  }

  private init(id: String, tags: [String]) {
    self.id = id
    self.tags = tags
  }

  /// Whether an account has signed in with it.
  func isKnown(to account: String, key: SymmetricKey) -> Bool {
    let expected = Self.tag(id, account, key)
    // All tags are compared, each in constant time.
    return tags.reduce(false) { ConstantTime.isEqual(Array($1.utf8), Array(expected.utf8)) || $0 }
  }

  /// The line of `Set-Cookie` that makes a browser known to an account.
  /// - Parameter known: the known device that the browser presented.
  static func setting(_ known: KnownDevice?, account: String, key: SymmetricKey, isSecure: Bool) -> String {
    let id = known?.id ?? RandomBytes.make(16).base64URL
    let tag = tag(id, account, key)
    let tags = ([tag] + (known?.tags ?? []).filter { $0 != tag }).prefix(mostAccounts)
    let name = (isSecure ? "__Host-" : "") + cookieName
    return "\(name)=\(([id] + tags).joined(separator: ".")); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Lax"
      + (isSecure ? "; Secure" : "")
  }

  private static func tag(_ id: String, _ account: String, _ key: SymmetricKey) -> String {
    let code = HMAC<SHA256>.authenticationCode(for: Data("\(id)\u{1F}\(account)".utf8), using: key)
    return Array(code.prefix(12)).base64URL
  }
}
