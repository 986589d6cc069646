public import Foundation
internal import OstiaryCore

/// One thing that a token's claims have to say. It is asked about tokens whose signature is right, and throws to refuse one.
public struct TokenRule: Sendable {
  let check: @Sendable (VerifiedToken, Date) throws(JOSEError) -> Void

  /// A rule of your own.
  /// - Parameter check: gets the token and the time by which it is judged; throws to refuse it.
  public init(_ check: @escaping @Sendable (VerifiedToken, Date) throws(JOSEError) -> Void) {
    self.check = check
  }

  /// The same rule, which names another place where it stands: the specification of one kind of token.
  package func citing(_ source: String) -> TokenRule {
    TokenRule { [check] token, now throws(JOSEError) in
      do throws(JOSEError) {
        try check(token, now)
      } catch {
        throw JOSEError(error.code, error.message, source: source)
      }
    }
  }

  /// The same rule, of tokens that have a claim of this name.
  package func ifPresent(_ name: String) -> TokenRule {
    TokenRule { [check] token, now throws(JOSEError) in
      if token[name] != nil { try check(token, now) }
    }
  }

  /// The token was made by this issuer, compared byte for byte (`iss`, RFC 7519 §4.1.1).
  public static func issuer(_ issuer: String) -> TokenRule {
    TokenRule { token, _ throws(JOSEError) in
      guard try token.text("iss").hasSameBytes(as: issuer) else {
        throw JOSEError(.wrongIssuer, "Another issuer has made the token.", source: "RFC 8725 §3.8")
      }
    }
  }

  /// The token is for one of these recipients (`aud`, RFC 7519 §4.1.3).
  public static func audience(anyOf audiences: [String]) -> TokenRule {
    TokenRule { token, _ throws(JOSEError) in
      guard let claim = token["aud"] else {
        throw JOSEError(.claimMissing, "The token does not say whom it is for.", source: "RFC 8725 §3.9")
      }
      let isOurs = { (audience: String) in audiences.contains { $0.hasSameBytes(as: audience) } }
      guard claim.string.map(isOurs) ?? token.audiences.contains(where: isOurs) else {
        throw JOSEError(.wrongAudience, "The token is for another recipient.", source: "RFC 8725 §3.9")
      }
    }
  }

  /// The token is for this recipient.
  public static func audience(_ audience: String) -> TokenRule { .audience(anyOf: [audience]) }

  /// The token has not expired, and says when it does (`exp`, RFC 7519 §4.1.4).
  /// - Parameter skew: how far the clocks may differ.
  public static func unexpired(skew: Duration = .seconds(60)) -> TokenRule {
    let skew = skew.inSeconds
    return TokenRule { token, now throws(JOSEError) in
      guard let end = try token.time("exp") else {
        throw JOSEError(.claimMissing, "The token does not say when it expires.", source: "RFC 7519 §4.1.4")
      }
      guard now.timeIntervalSince1970 - skew < end else {
        throw JOSEError(.expired, "The token has expired.", source: "RFC 7519 §4.1.4")
      }
    }
  }

  /// The token is valid already, if it says from when on (`nbf`, RFC 7519 §4.1.5).
  /// - Parameter skew: how far the clocks may differ.
  public static func begun(skew: Duration = .seconds(60)) -> TokenRule {
    let skew = skew.inSeconds
    return TokenRule { token, now throws(JOSEError) in
      guard let begin = try token.time("nbf") else { return }
      guard begin <= now.timeIntervalSince1970 + skew else {
        throw JOSEError(.notYetValid, "The token is not valid yet.", source: "RFC 7519 §4.1.5")
      }
    }
  }

  /// The token says when it was issued, neither in the future nor longer ago (`iat`, RFC 7519 §4.1.6).
  /// - Parameters:
  ///   - age: how long ago at most.
  ///   - skew: how far the clocks may differ.
  public static func issued(within age: Duration, skew: Duration = .seconds(60)) -> TokenRule {
    let (age, skew) = (age.inSeconds, skew.inSeconds)
    return TokenRule { token, now throws(JOSEError) in
      guard let begin = try token.time("iat") else {
        throw JOSEError(.claimMissing, "The token does not say when it was issued.", source: "RFC 7519 §4.1.6")
      }
      guard begin <= now.timeIntervalSince1970 + skew else {
        throw JOSEError(.notYetValid, "The token was issued in the future.", source: "RFC 7519 §4.1.6")
      }
      guard begin >= now.timeIntervalSince1970 - age - skew else {
        throw JOSEError(.tooOld, "The token was issued too long ago.", source: "RFC 7519 §4.1.6")
      }
    }
  }

  /// The token's end is not further away (`exp`): a signed statement is for now.
  /// - Parameters:
  ///   - lifetime: how far at most.
  ///   - skew: how far the clocks may differ.
  public static func expires(within lifetime: Duration, skew: Duration = .seconds(60)) -> TokenRule {
    let (lifetime, skew) = (lifetime.inSeconds, skew.inSeconds)
    return TokenRule { token, now throws(JOSEError) in
      guard let end = try token.time("exp") else {
        throw JOSEError(.claimMissing, "The token does not say when it expires.", source: "RFC 7519 §4.1.4")
      }
      guard end <= now.timeIntervalSince1970 + lifetime + skew else {
        throw JOSEError(.tooOld, "The token would be valid for too long.", source: "RFC 7523 §3")
      }
    }
  }

  /// The claim is there.
  public static func present(_ name: String) -> TokenRule {
    TokenRule { token, _ throws(JOSEError) in
      guard let value = token[name], value != .null else {
        throw JOSEError(.claimMissing, "The claim \(name) is missing.", source: "RFC 7519 §4")
      }
    }
  }

  /// The claim is not there: it belongs to tokens of another kind.
  public static func absent(_ name: String) -> TokenRule {
    TokenRule { token, _ throws(JOSEError) in
      guard token[name] == nil else {
        throw JOSEError(.wrongClaim, "The claim \(name) belongs to tokens of another kind.", source: "RFC 8725 §3.12")
      }
    }
  }

  /// The claim is this text, byte for byte.
  public static func claim(_ name: String, is text: String) -> TokenRule {
    TokenRule { token, _ throws(JOSEError) in
      guard try token.text(name).hasSameBytes(as: text) else {
        throw JOSEError(.wrongClaim, "The claim \(name) has another value than is expected.")
      }
    }
  }
}

extension Duration {
  var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
