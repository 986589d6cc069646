import Crypto
import Foundation
import OstiaryCore
internal import OstiaryJOSE

/// The assertion of the JWT bearer flow (RFC 7523): an app states, signed, for which user it wants a token.
struct PresentedSalesforceAssertion: Sendable {
  let issuer: String
  let subject: String
  let audiences: [String]
  let expiresAt: Date
  /// Identifies this assertion among those of its app: its `jti`, or else the whole signed text.
  let mark: String
  private let token: PresentedToken

  /// The longest one that is read.
  private static let mostBytes = 8192
  /// How far the clocks may differ.
  private static let skew: TimeInterval = 60
  /// The latest end that is accepted: the vendor requires three minutes, and accepts five.
  private static let longestLife: TimeInterval = 300

  /// Reads an assertion; nil if it is not signed with RS256 or lacks a claim. It verifies nothing.
  init?(_ text: String) {
    // No critical extension, and no member twice.
    guard let token = try? PresentedToken(text, maximumBytes: Self.mostBytes) else { return nil }
    let claims = token.unverifiedClaims
    // TK-01: one algorithm, with no choice by the header.
    guard token.unverifiedHeader.algorithmName == SignatureAlgorithm.rs256.name, let issuer = claims["iss"]?.string,
      let subject = (claims["sub"] ?? claims["prn"])?.string,
      let end = Self.seconds(claims["exp"])
    else { return nil }
    self.issuer = issuer
    self.subject = subject
    switch claims["aud"] {
    case .string(let audience)?: audiences = [audience]
    case .array(let values)?: audiences = values.compactMap(\.string)
    default: return nil
    }
    expiresAt = Date(timeIntervalSince1970: end)
    self.token = token
    let name = claims["jti"]?.string.map { "id " + $0 } ?? "text \(token.signedText)"
    mark = SHA256.hash(data: Array("\(issuer)\n\(name)".utf8)).base64URL
  }

  /// Seconds as a number or, from some libraries, as a text.
  private static func seconds(_ value: JSONValue?) -> TimeInterval? {
    let seconds = value?.double ?? value?.string.flatMap(TimeInterval.init)
    return seconds.flatMap { $0.isFinite ? $0 : nil }
  }

  /// Whether the key has signed it.
  func isSigned(by key: SalesforceAssertionKey, at now: Date) -> Bool { key.verifies(token, at: now) }

  /// The moment at which it has ended for every clock.
  var lastMoment: Date { expiresAt.addingTimeInterval(Self.skew) }

  /// Whether it is valid at this time: not ended, and its end is not too far away.
  func isTimely(at now: Date) -> Bool {
    let rest = expiresAt.timeIntervalSince(now)
    return rest > -Self.skew && rest <= Self.longestLife + Self.skew
  }
}
