internal import Crypto
import Foundation

/// What names are compared by: the SHA-256 of a name's comparison form, so that a hostile name of any length takes no
/// more room than another.
struct NameKey: Hashable, Sendable {
  let data: Data

  /// The key of a name: NFKC, then lower case, then NFKC again, as lower case can undo the first.
  init(_ name: String) {
    // Longer than any user's name can be, in any normalisation: only its identity matters.
    let isShort = name.utf8.count <= UserName.maximumBytes
    let form =
      isShort
      ? name.precomposedStringWithCompatibilityMapping.lowercased().precomposedStringWithCompatibilityMapping : name
    data = Data(SHA256.hash(data: Data(form.utf8)))
  }
}
