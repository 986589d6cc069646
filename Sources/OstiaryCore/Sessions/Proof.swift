public import Foundation

/// What a session shows the server: cookies, tokens, or both.
public struct Proof: Sendable, Codable, Equatable {
  /// The session's own cookies.
  public var cookies: CookieJar
  /// Tokens by name; an authenticator documents its names.
  public var tokens: [String: Secret]

  /// Makes a proof.
  public init(cookies: CookieJar = CookieJar(), tokens: [String: Secret] = [:]) {
    self.cookies = cookies
    self.tokens = tokens
  }
}

extension Proof {
  /// Whether both have a cookie of the same name and value that carries the session.
  func sharesCookie(with other: Proof, where isProof: (String) -> Bool) -> Bool {
    cookies.cookies.contains { cookie in
      isProof(cookie.name)
        && other.cookies.cookies.contains { $0.name == cookie.name && $0.value.reveal() == cookie.value.reveal() }
    }
  }
}

extension Proof: Redacted {
  public var description: String { "Proof(\(cookies.count) cookies, \(tokens.count) tokens)" }
}

/// Names one state of one session's proof, comparable across tasks, processes and machines.
///
/// A sign-in starts a new `lineage`; every change of the proof within it raises `revision`. A response that rejects a
/// request says which version it rejected, so that a late answer to an old proof has no effect.
public struct ProofVersion: Hashable, Sendable, Codable {
  /// The sign-in that the proof descends from.
  public let lineage: UUID
  /// How many times the proof has changed since.
  package let revision: UInt64

  /// Makes a version.
  public init(lineage: UUID = UUID(), revision: UInt64 = 0) {
    self.lineage = lineage
    self.revision = revision
  }

  /// The version after one more change.
  package var next: ProofVersion { ProofVersion(lineage: lineage, revision: revision &+ 1) }

  /// Whether this version is a later state of the same sign-in.
  package func isLater(than other: ProofVersion) -> Bool {
    lineage == other.lineage && revision > other.revision
  }
}

extension ProofVersion: CustomStringConvertible {
  public var description: String { "\(lineage.uuidString.prefix(8).lowercased())#\(revision)" }
}
