public import OstiaryCore

/// A token whose signature is right, by a key and with an algorithm that the caller allows.
public struct VerifiedToken: Sendable {
  /// What it says about itself.
  public let header: TokenHeader
  private let members: StrictJSON.Members
  /// The algorithm that it is signed with.
  public let algorithm: SignatureAlgorithm
  /// The key that verified it.
  public let key: VerificationKey

  init(header: TokenHeader, claims: StrictJSON.Members, algorithm: SignatureAlgorithm, key: VerificationKey) {
    self.header = header
    members = claims
    self.algorithm = algorithm
    self.key = key
  }

  /// What its issuer says: all claims, in a dictionary that is made anew each time. One claim is had for less by its name.
  public var claims: [String: JSONValue] { members.dictionary }

  /// A claim; `nil` where it is absent.
  public subscript(name: String) -> JSONValue? { members[name] }

  /// A claim that is a text.
  /// - Throws: ``JOSEError/Code/claimMissing`` where it is absent or none.
  public func text(_ name: String) throws(JOSEError) -> String {
    guard let text = members[name]?.string else {
      throw JOSEError(.claimMissing, "The claim \(name) is missing or no text.", source: "RFC 7519 §4")
    }
    return text
  }

  /// A claim that is a time: seconds since 1970 (RFC 7519 §2).
  /// - Throws: ``JOSEError/Code/claimMissing`` where it is no number.
  /// - Returns: `nil` where it is absent.
  public func time(_ name: String) throws(JOSEError) -> Double? {
    guard let value = members[name] else { return nil }
    guard let seconds = value.double else {
      throw JOSEError(.claimMissing, "The claim \(name) is no number.", source: "RFC 7519 §2")
    }
    return seconds
  }

  /// Whom it is for (`aud`, as a text or a list of texts); empty where it is neither.
  public var audiences: [String] {
    switch members["aud"] {
    case .string(let audience)?: return [audience]
    case .array(let elements)?:
      let audiences = elements.compactMap(\.string)
      return audiences.count == elements.count ? audiences : []
    default: return []
    }
  }
}

extension VerifiedToken: Redacted {
  public var description: String { "a token signed with \(algorithm)" }
}
