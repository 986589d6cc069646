/// The rules for tenants' names: 1 to 64 of the letters, digits, and `-`, `_`, `.` of ASCII, compared as they are.
enum TenantName {
  /// - Throws: `invalidTenant`.
  static func validated(_ name: String) throws(ServerError) -> String {
    guard isValid(name) else {
      throw ServerError(
        .invalidTenant, "The tenant's name is none.",
        advice: "Use 1 to 64 letters, digits, dots, hyphens or underscores.")
    }
    return name
  }

  static func isValid(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
      }
  }
}
