public import OstiaryCore
internal import OstiaryJOSE

/// Keys (ES256) that are made here and kept whole in the session, sealed as its tokens are.
public struct SoftwareDPoPKeys: DPoPKeySource {
  /// Makes a source.
  public init() {}

  public func makeKey() throws -> DPoPKey {
    let key = try SigningKey.make(.es256)
    guard let bytes = key.p256Bytes else { throw Self.lost("is none of this kind") }
    let maker = try DPoPProofMaker(key)
    let text = Self.mark + ":" + StrictBase64URL.encode(bytes) + ":" + maker.thumbprint
    return DPoPKey(maker, stored: Secret(text))
  }

  public func key(storedAs text: Secret) throws -> DPoPKey {
    let parts = text.reveal().split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard text.isEmpty || parts.first == Self.mark else { throw OstiaryError.proofKeyOfAnotherSource }
    // Of a key with one bit changed the server would know nothing; its thumbprint tells.
    guard parts.count == 3, let bytes = StrictBase64URL.decode(parts[1]), let key = try? SigningKey(p256Bytes: bytes),
      let maker = try? DPoPProofMaker(key), maker.thumbprint == parts[2]
    else { throw Self.lost("is damaged") }
    return DPoPKey(maker, stored: text)
  }

  private static let mark = "p256"

  private static func lost(_ what: String) -> OstiaryError {
    .proofKeyLost("The key that the session's tokens are bound to \(what).")
  }
}
