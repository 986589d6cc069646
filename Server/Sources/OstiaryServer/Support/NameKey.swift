internal import Crypto
import Foundation

/// What names are compared by: the SHA-256 of a name's comparison form, so that a hostile name of any length takes no
/// more room than another.
struct NameKey: Hashable, Sendable {
  let data: Data

  /// A name that can be a user's has at most 256 code points, in any normalisation.
  static let mostBytes = 4 * 256

  /// A key as it was stored.
  init(stored data: Data) { self.data = data }

  /// The key of a name: NFKC, then lower case, then NFKC again, as lower case can undo the first.
  /// - Parameter tenant: Whose name it is. The same name of another tenant, or of none, has another key.
  init(_ name: String, tenant: String? = nil) {
    // Longer than any user's name can be, in any normalisation: only its identity matters.
    let isShort = name.utf8.count <= Self.mostBytes
    let form =
      isShort
      ? name.precomposedStringWithCompatibilityMapping.lowercased().precomposedStringWithCompatibilityMapping : name
    let digest = Data(SHA256.hash(data: Data(form.utf8)))
    // Keyed, so that no name without a tenant can be chosen to meet one with.
    data =
      tenant.map { tenant in
        Data(HMAC<SHA256>.authenticationCode(for: digest, using: SymmetricKey(data: Data(tenant.utf8))))
      } ?? digest
  }
}
