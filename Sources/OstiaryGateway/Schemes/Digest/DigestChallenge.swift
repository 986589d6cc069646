internal import Foundation
internal import OstiaryCore

/// A Digest challenge that can be answered (RFC 7616 §3.3).
struct DigestChallenge: Hashable, Sendable {
  /// What the response covers: `qop`.
  enum Protection: String, Sendable {
    /// Method and target.
    case authentication = "auth"
    /// The body as well.
    case integrity = "auth-int"
  }

  let realm: String
  private(set) var nonce: String
  let algorithm: DigestAlgorithm
  /// Whether the server has named the algorithm, rather than leaving it at the first one.
  let namesAlgorithm: Bool
  /// Empty for servers from before RFC 2617, which take a response without nonce counts (RFC 2069).
  let protections: Set<Protection>
  let opaque: String?
  /// The nonce was stale; the rest of what was presented is right.
  let isStale: Bool
  /// The user name may be sent as a hash (`userhash`).
  let hidesUsername: Bool
  /// User name and password are hashed as UTF-8 in Normalization Form C. A challenge without it does not say; UTF-8 is
  /// used then, too.
  let isUTF8: Bool
  /// The parts of the server that ask for the same, as URIs.
  let domain: [String]

  /// - Throws: ``UnusableChallenge`` for what can't be answered.
  init(_ challenge: AuthenticationChallenge) throws(UnusableChallenge) {
    let parameters = challenge.parameters
    guard let realm = parameters["realm"] else { throw UnusableChallenge("Digest without a realm") }
    guard let nonce = parameters["nonce"], !nonce.isEmpty else { throw UnusableChallenge("Digest without a nonce") }
    guard let algorithm = DigestAlgorithm(named: parameters["algorithm"]) else {
      throw UnusableChallenge(
        "Digest with another hash than \(DigestHash.names)",
        advice: "Ask the server's administrator to offer one of those hashes, or Basic over https.")
    }
    var protections: Set<Protection> = []
    if let qop = parameters["qop"] {
      protections = Set(Self.words(qop, separator: ",").compactMap { Protection(rawValue: $0.lowercased()) })
      guard !protections.isEmpty else { throw UnusableChallenge("Digest with a qop that is not known here") }
    } else if algorithm.isSession {
      // The key of the session is made from a cnonce, which may not be sent then (RFC 2617 §3.2.2).
      throw UnusableChallenge("Digest with a session key and without qop")
    }
    self.realm = realm
    self.nonce = nonce
    self.algorithm = algorithm
    namesAlgorithm = parameters["algorithm"] != nil
    self.protections = protections
    opaque = parameters["opaque"]
    isStale = Self.isTrue(parameters["stale"])
    hidesUsername = Self.isTrue(parameters["userhash"])
    isUTF8 = parameters["charset"]?.lowercased() == "utf-8"
    domain = Self.words(parameters["domain"] ?? "", separator: " ").map(String.init)
  }

  /// The same with the nonce that the server announced for the next request (`nextnonce`).
  func with(nonce: String) -> DigestChallenge {
    var next = self
    next.nonce = nonce
    return next
  }

  private static func isTrue(_ value: String?) -> Bool { value?.lowercased() == "true" }

  private static func words(_ text: String, separator: Character) -> [Substring] {
    text.split { $0 == separator || $0 == " " || $0 == "\t" }
  }
}

extension DigestChallenge {
  /// The parts of a server that belong to the challenge's protection space (RFC 7616 §3.3). What it names of other
  /// servers is left out: proof stays at its origin.
  func prefixes(at origin: Origin) -> [String] {
    guard !domain.isEmpty else { return ["/"] }
    return domain.compactMap { text in
      // `//host/` names another server, too.
      if text.utf8.first == UInt8(ascii: "/"), !text.utf8.starts(with: "//".utf8) { return text }
      guard let url = URL(string: text), Origin(url) == origin else { return nil }
      let path = url.path(percentEncoded: true)
      return path.isEmpty ? "/" : path
    }
  }
}

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

/// Why a challenge can't be answered, or must not be. For a person; it quotes nothing that a server sent.
struct UnusableChallenge: Error, Hashable {
  let reason: String
  /// What to do about it.
  let advice: String

  init(_ reason: String, advice: String = "Ask the server's administrator what its clients have to use.") {
    self.reason = reason
    self.advice = advice
  }

  /// A secret would be readable on the way.
  static func readable(_ reason: String) -> UnusableChallenge {
    UnusableChallenge(reason, advice: "Use https, or allow plain http in the configuration.")
  }
}
