internal import Foundation
internal import OstiaryCore

/// Whose Digest responses are made, and with what: instead of the password there is `H(username:realm:password)`, which is
/// good for this user in this realm and nowhere else.
struct DigestAccount: Sendable {
  /// The user name as the server hashes it.
  let username: String
  let realm: String
  let algorithm: DigestAlgorithm
  /// In hexadecimal digits.
  let key: Secret
  /// Whether the server has said that it takes names in UTF-8.
  let isUTF8: Bool

  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput` for a user name with control characters, which no field can carry.
  init(username: String, password: Secret, for challenge: DigestChallenge) throws {
    guard !username.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw OstiaryError(
        .invalidInput, "The user name must not contain control characters.",
        advice: "Check the user name for stray line breaks or tabs.", requestMayHaveExecuted: false)
    }
    self.username = Self.prepared(username, isUTF8: challenge.isUTF8)
    realm = challenge.realm
    algorithm = challenge.algorithm
    isUTF8 = challenge.isUTF8
    let password = Self.prepared(password.reveal(), isUTF8: isUTF8)
    let digest = challenge.algorithm.hash([Array(self.username.utf8), Array(realm.utf8), Array(password.utf8)])
    key = Secret(String(decoding: digest, as: UTF8.self))
  }

  init(username: String, realm: String, algorithm: DigestAlgorithm, key: Secret, isUTF8: Bool) {
    self.username = Self.prepared(username, isUTF8: isUTF8)
    self.realm = realm
    self.algorithm = algorithm
    self.key = key
    self.isUTF8 = isUTF8
  }

  /// Normalization Form C, where the server has said `charset=UTF-8` (RFC 7616 §3.3).
  static func prepared(_ text: String, isUTF8: Bool) -> String {
    isUTF8 ? text.precomposedStringWithCanonicalMapping : text
  }

  /// The value of the `Authorization` field (RFC 7616 §3.4).
  /// - Parameters:
  ///   - use: the nonce and its count.
  ///   - method: the request's method.
  ///   - target: the request target, as it will be sent.
  ///   - protection: what the response covers.
  ///   - body: the request's body.
  func authorization(
    _ use: NonceUse, method: String, target: String, protection: DigestChallenge.Protection?, body: Data
  ) -> String {
    let challenge = use.challenge
    var parameters: [String] = []
    if challenge.hidesUsername {
      let hidden = algorithm.hash([Array(username.utf8), Array(realm.utf8)])
      parameters.append("username=\"\(String(decoding: hidden, as: UTF8.self))\"")
    } else if isUTF8, !username.utf8.allSatisfy({ $0 < 0x80 }) {
      // RFC 8187 (5987 when RFC 7616 was written).
      parameters.append("username*=UTF-8''\(PercentEncoding.encode(username))")
    } else {
      parameters.append("username=\(Self.quoted(username))")
    }
    parameters.append("realm=\(Self.quoted(realm))")
    parameters.append("uri=\(Self.quoted(target))")
    // Servers from before RFC 2617 know none, and name none.
    if challenge.namesAlgorithm { parameters.append("algorithm=\(algorithm.name)") }
    parameters.append("nonce=\(Self.quoted(challenge.nonce))")
    if let protection {
      parameters += ["nc=\(use.countText)", "cnonce=\(Self.quoted(use.cnonce))", "qop=\(protection.rawValue)"]
    }
    let response = use.response(
      key: Array(key.reveal().utf8), method: method, target: target, protection: protection, body: body)
    parameters.append("response=\"\(String(decoding: response, as: UTF8.self))\"")
    if let opaque = challenge.opaque { parameters.append("opaque=\(Self.quoted(opaque))") }
    if challenge.hidesUsername { parameters.append("userhash=true") }
    return "Digest " + parameters.joined(separator: ", ")
  }

  /// A quoted string (RFC 9110 §5.6.4).
  private static func quoted(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) else {
      return "\"\(text)\""
    }
    var escaped = ""
    for character in text.unicodeScalars {
      if character == "\"" || character == "\\" { escaped.unicodeScalars.append("\\") }
      escaped.unicodeScalars.append(character)
    }
    return "\"\(escaped)\""
  }
}
