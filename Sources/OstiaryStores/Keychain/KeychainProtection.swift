/// When a session in the keychain can be read, and where it may go.
///
/// By default after the first unlock since the device started, so that work in the background goes on while the screen is
/// locked; on this device only, so that a backup restored elsewhere brings no session along.
public struct KeychainProtection: Hashable, Sendable {
  /// When it can be read.
  public enum Availability: Hashable, Sendable {
    /// From the first unlock after the device has started (`kSecAttrAccessibleAfterFirstUnlock…`).
    case afterFirstUnlock
    /// While the device is unlocked (`kSecAttrAccessibleWhenUnlocked…`).
    case whenUnlocked
    /// While it is unlocked, and only as long as it has a passcode: without one it is gone
    /// (`kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly`).
    case whilePasscodeIsSet
  }

  /// What the user has to do for each reading. The system asks; a store waits for the answer.
  public enum Gate: Hashable, Sendable {
    /// Biometry or the passcode (`SecAccessControlCreateFlags.userPresence`).
    case userPresence
    /// Biometry as enrolled now: who changes it loses the session (`SecAccessControlCreateFlags.biometryCurrentSet`).
    case currentBiometry
  }

  /// When it can be read.
  public var availability: Availability
  /// What the user has to do, if anything.
  public var gate: Gate?
  /// Whether backups may carry the session to other devices. Ignored with a gate and with
  /// ``Availability/whilePasscodeIsSet``, which never leave the device.
  public var insecurelyMigratesInBackups: Bool

  /// Makes a protection, by default after the first unlock, on this device only, without a gate.
  public init(
    availability: Availability = .afterFirstUnlock, gate: Gate? = nil, insecurelyMigratesInBackups: Bool = false
  ) {
    self.availability = availability
    self.gate = gate
    self.insecurelyMigratesInBackups = insecurelyMigratesInBackups
  }
}
