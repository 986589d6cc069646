import OstiaryCore

/// What the Security framework answered: an `OSStatus` (SecBase.h).
package struct KeychainStatus: RawRepresentable, Hashable, Sendable {
  package let rawValue: Int32
  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// `errSecSuccess`
  package static let success = Self(rawValue: 0)
  /// `errSecItemNotFound`
  package static let notFound = Self(rawValue: -25300)
  /// `errSecDuplicateItem`
  package static let duplicate = Self(rawValue: -25299)
  /// `errSecInteractionNotAllowed`: the device is locked, or has not been unlocked since it started.
  package static let interactionNotAllowed = Self(rawValue: -25308)
  /// `errSecNotAvailable`
  package static let notAvailable = Self(rawValue: -25291)
  /// `errSecAuthFailed`
  package static let authenticationFailed = Self(rawValue: -25293)
  /// `errSecUserCanceled`
  package static let userCancelled = Self(rawValue: -128)
  /// `errSecMissingEntitlement`
  package static let missingEntitlement = Self(rawValue: -34018)
  /// `errSecDiskFull`
  package static let diskFull = Self(rawValue: -34)
  /// `errSecDataTooLarge`
  package static let dataTooLarge = Self(rawValue: -25302)

  /// What it means when it is neither a success nor "not found": the keychain can't tell or do it now. Never that there
  /// is nothing.
  var error: OstiaryError {
    let reason: String
    let advice: String
    var disposition = OstiaryError.Disposition.transient(retryAfter: nil)
    switch self {
    case .interactionNotAllowed, .notAvailable:
      (reason, advice) = ("it is locked", "Unlock the device and try again; the user stays signed in.")
    case .authenticationFailed:
      (reason, advice) = ("the user was not recognised", "Try again; the user stays signed in.")
    case .userCancelled:
      (reason, advice) = ("the user declined", "Ask again when the user wants to go on; the user stays signed in.")
    case .diskFull:
      (reason, advice) = ("the disk is full", "Free some space; the user stays signed in.")
    case .dataTooLarge:
      (reason, advice) = ("the session is too large", "Keep less in the session's attributes.")
      disposition = .misuse
    case .missingEntitlement:
      (reason, advice) = (
        "the app lacks an entitlement", "Sign it with keychain-access-groups (Keychain Sharing), with this group in it."
      )
      disposition = .misuse
    default:
      (reason, advice) = ("status \(rawValue)", "Look the status up in SecBase.h; the user stays signed in.")
    }
    return OstiaryError(
      .storeUnavailable, "The keychain can't be used: \(reason).", advice: advice, disposition: disposition)
  }
}
