internal import OstiaryCore

extension KeychainStore {
  /// The store behind an identifier, in the platform's place for an application's own data.
  ///
  /// File names keep few characters of an identifier; the number in front keeps identifiers apart.
  static func defaultStore(identifier: String) -> any OstiaryCore.SessionStore {
    EncryptedFileStore.encryptedFile(application: "newzulu-\(number(of: identifier))-\(identifier)")
  }

  /// FNV-1a in 64 bits: the same in every process, which Swift's own hash isn't.
  private static func number(of identifier: String) -> String {
    let hash = identifier.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return String(hash, radix: 16)
  }
}
