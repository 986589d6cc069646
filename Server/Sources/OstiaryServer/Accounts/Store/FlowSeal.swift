import Crypto
import Foundation

/// Seals flow tokens (AES-256-GCM): clients can neither read nor change them, and the server stores none.
struct FlowSeal: Sendable {
  /// The longest token that is read, in bytes.
  static let mostBytes = 8192
  private static let separator: Character = "\u{1F}"
  private static let context = Array("ostiary.flow.1".utf8)
  private let ring: KeyRing
  private var keys: PurposeKeys { ring.keys(for: "flows.token") }
  var stateKeys: PurposeKeys { ring.keys(for: "flows.conversation") }

  init(_ ring: KeyRing) { self.ring = ring }

  /// The key by which the numbers of a flow's inner flows are derived: that of the flow's own key, so that a repeat after a change of
  /// the server's key derives the same.
  func numberKey(of token: FlowToken) -> SymmetricKey {
    let keys = ring.keys(for: "flows.number")
    return token.key.number.flatMap { keys[$0] } ?? keys.current.key
  }

  func seal(_ token: FlowToken) throws -> String {
    let texts = [
      token.kind.rawValue, token.number, String(Int64(token.expiresAt.timeIntervalSince1970)), token.browser ?? "",
      token.userID ?? "", token.returnTo ?? "", token.language,
    ]
    return try seal(texts, with: token.key.number)
  }

  /// Seals the parts of a token.
  /// - Parameter number: that of the key of the flow; nil for a flow that begins.
  func seal(_ texts: [String], with number: Int64? = nil) throws -> String {
    let keys = keys
    let key = number.flatMap { keys[$0] } ?? keys.current.key
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
      let box = try? AES.GCM.SealedBox(combined: bytes), let (number, content) = open(box),
      let texts = String(validating: content, as: UTF8.self)?
        .split(separator: Self.separator, omittingEmptySubsequences: false).map(String.init),
      // An earlier version of the server wrote no language.
      (6...7).contains(texts.count), let kind = FlowKind(rawValue: texts[0]), let seconds = Int64(texts[2])
    else { return nil }
    func present(_ text: String) -> String? { text.isEmpty ? nil : text }
    var token = FlowToken(
      kind: kind, number: texts[1], browser: present(texts[3]), userID: present(texts[4]), returnTo: present(texts[5]),
      language: texts.count > 6 ? texts[6] : AccountTexts.standard,
      expiresAt: Date(timeIntervalSince1970: TimeInterval(seconds)))
    token.key = FlowKey(number: number)
    return token
  }

  private func open(_ box: AES.GCM.SealedBox) -> (number: Int64, content: Data)? {
    for key in keys.all {
      guard let content = try? AES.GCM.open(box, using: key.key, authenticating: Self.context) else { continue }
      return (key.number, content)
    }
    return nil
  }
}

/// The key of the server with which a flow was begun. All that is derived for the flow comes of it, until the flow ends. It is known
/// of a token that was opened, and no part of the flow: tokens that differ in it alone are equal.
struct FlowKey: Hashable, Sendable {
  var number: Int64?

  static func == (one: FlowKey, other: FlowKey) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
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
  var key = FlowKey()

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
