package import OstiaryCore

/// The rules for a new password: it is long enough, and attackers don't try it first. There is no rule about digits,
/// capitals or signs, and no expiry (NIST SP 800-63B-4 §3.1.1.2).
///
/// Characters are Unicode code points after NFKC. The maximum is 1024 of them and 4096 bytes of UTF-8; a longer
/// password is refused, never cut.
package struct PasswordPolicy: Sendable {
  /// The fewest characters a new password may have.
  package let minimumLength: Int
  /// The passwords that are refused at any length.
  package let blocklist: PasswordBlocklist

  /// Fifteen characters, the minimum for a password that is the only factor.
  package static let standard = PasswordPolicy(unchecked: 15, .builtIn)

  /// Makes a policy.
  /// - Throws: `policyTooWeak` for a minimum below 8.
  package init(minimumLength: Int = 15, blocklist: PasswordBlocklist = .builtIn) throws(ServerError) {
    guard minimumLength >= 8 else {
      throw ServerError(
        .policyTooWeak, "A minimum of \(minimumLength) characters is too short for a password.",
        advice: "Use at least 8, better 15.")
    }
    guard minimumLength <= NormalizedPassword.maximumCount else {
      throw ServerError(
        .policyTooWeak, "No password can have \(minimumLength) characters.",
        advice: "Use at most \(NormalizedPassword.maximumCount).")
    }
    self.init(unchecked: minimumLength, blocklist)
  }

  /// Any password of one character or more, common or not: for tests and development alone.
  package static let insecureAnythingGoesForDevelopmentOnly = PasswordPolicy(unchecked: 1, .empty)

  private init(unchecked minimumLength: Int, _ blocklist: PasswordBlocklist) {
    self.minimumLength = minimumLength
    self.blocklist = blocklist
  }

  /// Throws if a password can't be accepted, with the reason.
  /// - Throws: `passwordTooShort`, `passwordTooLong` or `passwordTooCommon`.
  package func check(_ password: Secret) throws(ServerError) {
    try check(NormalizedPassword(password))
  }

  func check(_ password: NormalizedPassword) throws(ServerError) {
    guard password.count >= minimumLength else {
      throw ServerError(
        .passwordTooShort, "The password is too short.", advice: "Use at least \(minimumLength) characters.")
    }
    guard !blocklist.contains(password.text) else {
      throw ServerError(
        .passwordTooCommon, "The password is one of those that are tried first.",
        advice: "Use several words that do not belong together.")
    }
  }
}
