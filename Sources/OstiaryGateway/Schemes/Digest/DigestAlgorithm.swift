/// What the `algorithm` parameter names: a hash, and whether the user's key is mixed with the first nonces into one for
/// the authentication session (`-sess`, RFC 7616 §3.4.2).
struct DigestAlgorithm: Hashable, Sendable {
  let hash: DigestHash
  let isSession: Bool

  init(_ hash: DigestHash, isSession: Bool = false) {
    self.hash = hash
    self.isSession = isSession
  }

  /// Reads the parameter; without one it is MD5 (RFC 7616 §3.3). `nil` for an algorithm that is not known here.
  init?(named name: String?) {
    guard let name else {
      self.init(.md5)
      return
    }
    var base = name.uppercased()
    let isSession = base.hasSuffix("-SESS")
    if isSession { base.removeLast(5) }
    guard let hash = DigestHash(rawValue: base) else { return nil }
    self.init(hash, isSession: isSession)
  }

  /// As the parameter is written.
  var name: String { isSession ? hash.rawValue + "-sess" : hash.rawValue }
}
