#if SecretService
  import CSecretService
  import OstiaryCore

  extension OstiaryError {
    /// Why the keyring can't tell or do something now. Never that there is nothing.
    static func secretService(_ status: ostiary_secret_status, _ message: String?) -> OstiaryError {
      let detail = message.map { " (\($0))" } ?? ""
      let reason: String
      let advice: String
      var underlying: KeyringMissing?
      switch status {
      case OSTIARY_SECRET_NO_COLLECTION, OSTIARY_SECRET_NO_BUS, OSTIARY_SECRET_NO_SERVICE:
        underlying = KeyringMissing()
      default: break
      }
      switch status {
      case OSTIARY_SECRET_LOCKED:
        (reason, advice) = ("it is locked", "Unlock it, by logging in or in the keyring's manager.")
      case OSTIARY_SECRET_NO_COLLECTION:
        (reason, advice) = (
          "there is no default keyring", "Create one in the keyring's manager, or log in to the desktop once."
        )
      case OSTIARY_SECRET_NO_BUS:
        (reason, advice) = (
          "there is no D-Bus session\(detail)", "Use a store in an encrypted file where there is no desktop."
        )
      case OSTIARY_SECRET_NO_SERVICE:
        (reason, advice) = (
          "no program offers the Secret Service\(detail)", "Start GNOME Keyring, KWallet or KeePassXC, or use a file."
        )
      default:
        (reason, advice) = ("the Secret Service failed\(detail)", "Try again.")
      }
      return OstiaryError(
        .storeUnavailable, "The keyring can't be used: \(reason).", advice: advice + " The user stays signed in.",
        underlying: underlying)
    }
  }

  /// Beneath an error: there is no keyring at all here, rather than one that can't be used now.
  struct KeyringMissing: Error {}
#endif
