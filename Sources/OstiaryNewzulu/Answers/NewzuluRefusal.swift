internal import OstiaryCore

/// What a Newzulu server said when it refused a call. It is the ``/OstiaryCore/OstiaryError/underlying`` error of an
/// ``/OstiaryCore/OstiaryError`` `newzulu_refused`.
public struct NewzuluRefusal: Error, Sendable, Hashable {
  /// The failure's number, where the server sent one.
  public let number: Int?
  /// The server's text as it came, at most 200 characters of it without those that don't print; empty when there was none.
  public let text: String

  /// Makes a refusal.
  public init(number: Int?, text: String) {
    self.number = number
    self.text = String(text.unicodeScalars.prefix(200).filter(Self.isPrintable).map(Character.init))
  }

  /// Errors are shown on terminals, which take control characters for more than text.
  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    default: true
    }
  }

  /// The refusal without its text where that repeats a secret.
  func hiding(_ secret: Secret) -> NewzuluRefusal {
    guard !secret.isEmpty, text.contains(secret.reveal()) else { return self }
    return NewzuluRefusal(number: number, text: "")
  }
}
