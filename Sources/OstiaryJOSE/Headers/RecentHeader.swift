internal import OstiaryCore

/// The header of the last token that was signed rightly.
///
/// The tokens of an issuer have mostly the same header, byte for byte. What its bytes say is found out once. Only a signed header is kept,
/// so that what strangers send drives out nothing.
final class RecentHeader: Sendable {
  /// The longest text that is kept.
  static let maximumBytes = 1024

  private struct Kept {
    let text: ArraySlice<UInt8>
    let header: TokenHeader
  }

  private let kept = Locked<Kept?>(nil)

  /// What a text says, if it is the one that was kept.
  func header(_ text: ArraySlice<UInt8>) -> TokenHeader? {
    kept.withLock { kept in
      guard let kept, kept.text == text else { return nil }
      return kept.header
    }
  }

  /// Keeps the header of a token whose signature is right.
  func keep(_ text: ArraySlice<UInt8>, _ header: TokenHeader) {
    guard text.count <= Self.maximumBytes else { return }
    // A copy: the slice would keep the whole token.
    let new = Kept(text: Array(text)[...], header: header)
    kept.withLock { $0 = new }
  }
}
