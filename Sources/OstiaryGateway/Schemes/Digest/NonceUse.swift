internal import Foundation

/// One use of a server's nonce: what a response is made of besides the request and the user's key.
struct NonceUse: Sendable {
  /// The challenge with the nonce.
  let challenge: DigestChallenge
  /// The nonce that the authentication session began with; another one than the challenge's after a `nextnonce`.
  let keyNonce: String
  /// The client's own nonce, the same for the whole authentication session.
  let cnonce: String
  /// How many requests have been sent with the nonce, this one included.
  let count: UInt32

  /// The `nc` parameter: eight hexadecimal digits.
  var countText: String {
    let digits = String(count, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// The `response` and `rspauth` parameters (RFC 7616 §3.4.1), in lower-case hexadecimal digits.
  /// - Parameters:
  ///   - key: `H(username:realm:password)`, in hexadecimal digits.
  ///   - method: the request's method; empty for `rspauth` (§3.5).
  ///   - target: the request target, as it was sent.
  ///   - protection: what the response covers; `nil` for servers that know no `qop`.
  ///   - body: what `auth-int` covers.
  func response(
    key: [UInt8], method: String, target: String, protection: DigestChallenge.Protection?, body: Data
  ) -> [UInt8] {
    let hash = challenge.algorithm.hash
    var key = key
    if challenge.algorithm.isSession { key = hash([key, Array(keyNonce.utf8), Array(cnonce.utf8)]) }
    var message = [Array(method.utf8), Array(target.utf8)]
    if protection == .integrity { message.append(hash(body)) }
    var parts = [key, Array(challenge.nonce.utf8)]
    if let protection {
      parts += [Array(countText.utf8), Array(cnonce.utf8), Array(protection.rawValue.utf8)]
    }
    parts.append(hash(message))
    return hash(parts)
  }
}
