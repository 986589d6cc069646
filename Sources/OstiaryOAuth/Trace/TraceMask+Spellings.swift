internal import Foundation
internal import OstiaryCore

// A client's secret in the ways in which a server may quote it.
extension TraceMask {
  /// Notes the secret that stands in an HTTP Basic field, which it does in base64 and form-encoded (RFC 6749 §2.3.1).
  /// - Parameter value: what follows the scheme.
  mutating func noteBasic(_ value: String) {
    guard let data = Data(base64Encoded: value) else { return }
    let pair = String(decoding: data, as: UTF8.self)
    guard let colon = pair.firstIndex(of: ":") else { return }
    let (name, secret) = (String(pair[..<colon]), String(pair[pair.index(after: colon)...]))
    // Some clients encode neither, so that what is decoded may be another text than the secret.
    noteSpellings(of: secret, beside: name)
    noteSpellings(of: Self.decoded(secret), beside: Self.decoded(name))
  }

  /// Notes a secret and its spellings in base64. It is found percent-encoded and form-encoded as well.
  /// - Parameter name: the client that it is shown with.
  mutating func noteSpellings(of secret: String, beside name: String? = nil) {
    guard secret.utf8.count > 3 else { return }
    note(secret)
    let pair = name.map { $0 + ":" + secret }
    for text in [secret, pair].compactMap({ $0 }) {
      note(Data(text.utf8).base64EncodedString().filter { $0 != "=" })
      note(Base64URL.encode(Data(text.utf8)))
    }
  }

  private static func decoded(_ text: String) -> String { FormEncoding.parse("v=" + text).first?.value ?? text }
}
