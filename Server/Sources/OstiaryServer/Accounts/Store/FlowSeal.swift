import Crypto
import Foundation

/// Seals flow tokens (AES-256-GCM): clients can neither read nor change them, and the server stores none.
struct FlowSeal: Sendable {
  /// The longest token that is read, in bytes.
  static let mostBytes = 8192
  private static let separator: Character = "\u{1F}"
  private static let context = Array("ostiary.flow.1".utf8)
  private let key: SymmetricKey
  let stateKey: SymmetricKey
  let numberKey: SymmetricKey

  init(_ key: ServerKey) {
    self.key = key.key(for: "flows.token")
    stateKey = key.key(for: "flows.conversation")
    numberKey = key.key(for: "flows.number")
  }

  func seal(_ token: FlowToken) throws -> String {
    let texts = [
      token.kind.rawValue, token.number, String(Int64(token.expiresAt.timeIntervalSince1970)), token.browser ?? "",
      token.userID ?? "", token.returnTo ?? "", token.language,
    ]
    return try seal(texts)
  }

  /// Seals the parts of a token.
  func seal(_ texts: [String]) throws -> String {
    let content = Array(texts.joined(separator: String(Self.separator)).utf8)
    // The nonce is random; 2^32 tokens of one key are still far from a repetition (NIST SP 800-38D §8.3).
    guard let box = try AES.GCM.seal(content, using: key, authenticating: Self.context).combined else {
      throw ServerError(.storageFailed, "A flow can't be sealed.", advice: "Report this.")
    }
    return box.base64URL
  }

  /// The token, of any age; nil if it was changed, or sealed by another server.
  func open(_ text: String) -> FlowToken? {
    guard text.utf8.count <= Self.mostBytes, let bytes = text.decodedBase64URL,
      let box = try? AES.GCM.SealedBox(combined: bytes),
      let content = try? AES.GCM.open(box, using: key, authenticating: Self.context),
      let texts = String(validating: content, as: UTF8.self)?
        .split(separator: Self.separator, omittingEmptySubsequences: false).map(String.init),
      // An earlier version of the server wrote no language.
      (6...7).contains(texts.count), let kind = FlowKind(rawValue: texts[0]), let seconds = Int64(texts[2])
    else { return nil }
    func present(_ text: String) -> String? { text.isEmpty ? nil : text }
    return FlowToken(
      kind: kind, number: texts[1], browser: present(texts[3]), userID: present(texts[4]), returnTo: present(texts[5]),
      language: texts.count > 6 ? texts[6] : AccountTexts.standard,
      expiresAt: Date(timeIntervalSince1970: TimeInterval(seconds)))
  }
}

/// A flow before any part of it has been stored: the client has all of it, sealed.
struct FlowToken: Hashable, Sendable {
  let kind: FlowKind
  /// 128 random bits that find a stored flow.
  let number: String
  /// The browser in which it was begun; nil for a client of the JSON interface, whose secret is the sealed token.
  let browser: String?
  /// The user whose settings it changes.
  let userID: String?
  /// The address to go to in the end, checked before it was sealed.
  let returnTo: String?
  /// The language of its pages and its mail.
  let language: String
  let expiresAt: Date

  init(
    kind: FlowKind, number: String = RandomBytes.make(16).base64URL, browser: String?, userID: String? = nil,
    returnTo: String? = nil, language: String = AccountTexts.standard, expiresAt: Date
  ) {
    self.kind = kind
    self.number = number
    self.browser = browser
    self.userID = userID
    self.returnTo = returnTo
    self.language = language
    // Whole seconds, as in the sealed form.
    self.expiresAt = Date(timeIntervalSince1970: expiresAt.timeIntervalSince1970.rounded(.down))
  }
}
