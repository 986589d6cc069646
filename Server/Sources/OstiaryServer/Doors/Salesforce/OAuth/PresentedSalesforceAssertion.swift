import Crypto
import Foundation
import OstiaryCore

/// The assertion of the JWT bearer flow (RFC 7523): an app states, signed, for which user it wants a token.
struct PresentedSalesforceAssertion: Sendable {
  let issuer: String
  let subject: String
  let audiences: [String]
  let expiresAt: Date
  /// Identifies this assertion among those of its app: its `jti`, or else the whole signed text.
  let mark: String
  private let signature: [UInt8]
  private let message: [UInt8]

  /// The longest one that is read.
  private static let mostBytes = 8192
  /// How far the clocks may differ.
  private static let skew: TimeInterval = 60
  /// The latest end that is accepted: the vendor requires three minutes, and accepts five.
  private static let longestLife: TimeInterval = 300

  /// Reads an assertion; nil if it is not signed with RS256 or lacks a claim. It verifies nothing.
  init?(_ text: String) {
    guard text.utf8.count <= Self.mostBytes else { return nil }
    let parts = text.byteParts(at: ".")
    guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
      let signature = parts[2].decodedBase64URL,
      // TK-01: one algorithm, with no choice by the header, and no critical extension.
      header["alg"]?.string == "RS256", header["crit"] == nil,
      let issuer = claims["iss"]?.string, let subject = (claims["sub"] ?? claims["prn"])?.string,
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
    self.signature = signature
    message = Array("\(parts[0]).\(parts[1])".utf8)
    let name = claims["jti"]?.string.map { "id " + $0 } ?? "text \(parts[0]).\(parts[1])"
    mark = SHA256.hash(data: Array("\(issuer)\n\(name)".utf8)).base64URL
  }

  private static func object(_ part: Substring) -> [String: JSONValue]? {
    part.decodedBase64URL.flatMap { JSONValue(json: Data($0)) }?.object
  }

  /// Seconds as a number or, from some libraries, as a text.
  private static func seconds(_ value: JSONValue?) -> TimeInterval? {
    let seconds = value?.double ?? value?.string.flatMap(TimeInterval.init)
    return seconds.flatMap { $0.isFinite ? $0 : nil }
  }

  /// Whether the key has signed it.
  func isSigned(by key: SalesforceAssertionKey) -> Bool { key.verifies(signature, of: message) }

  /// The moment at which it has ended for every clock.
  var lastMoment: Date { expiresAt.addingTimeInterval(Self.skew) }

  /// Whether it is valid at this time: not ended, and its end is not too far away.
  func isTimely(at now: Date) -> Bool {
    let rest = expiresAt.timeIntervalSince(now)
    return rest > -Self.skew && rest <= Self.longestLife + Self.skew
  }
}
