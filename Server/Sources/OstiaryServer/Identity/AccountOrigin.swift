/// Who made an account, and what is known of its address.
enum AccountOrigin: Sendable {
  /// An administrator, who answers for the address.
  case administrator
  /// Its owner. The address is proven where a code that was mailed there has been shown.
  case selfMade(isEmailVerified: Bool)

  var isSelfMade: Bool { if case .selfMade = self { true } else { false } }

  var isEmailVerified: Bool { if case .selfMade(let isVerified) = self { isVerified } else { true } }
}
