internal import Crypto
import Foundation

/// The key by which names are compared: the SHA-256 of a name's comparison form. A hostile name of any length takes no
/// more room than another.
struct NameKey: Hashable, Sendable {
  let data: Data

  /// A valid user name has at most 256 code points, in any normalisation.
  static let mostBytes = 4 * 256

  /// A key as it was stored.
  init(stored data: Data) { self.data = data }

  /// The key of a name: NFKC, then lower case, then NFKC again, as lower case can undo the first.
  /// - Parameter tenant: The tenant of the name. The same name in another tenant, or in none, has another key.
  init(_ name: String, tenant: String? = nil) {
    // Longer than any valid user name in any normalisation: the comparison form is not needed.
    let isShort = name.utf8.count <= Self.mostBytes
    let form =
      isShort
      ? name.precomposedStringWithCompatibilityMapping.lowercased().precomposedStringWithCompatibilityMapping : name
    let digest = Data(SHA256.hash(data: Data(form.utf8)))
    // Keyed: a name without a tenant can't be chosen to get the key of a name with one.
    data =
      tenant.map { tenant in
        Data(HMAC<SHA256>.authenticationCode(for: digest, using: SymmetricKey(data: Data(tenant.utf8))))
      } ?? digest
  }
}
