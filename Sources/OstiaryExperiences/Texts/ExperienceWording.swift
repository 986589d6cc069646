internal import OstiaryCore

/// The texts of a document as one reader reads them, for what stands outside of its screens: a mail, or a page of your own.
///
/// ```swift
/// let wording = ExperienceWording(experience, languages: ["de-AT", "en"])
/// let subject = wording.text("mail.subject", values: ["service": "Acme"])
/// ```
public struct ExperienceWording: Sendable {
  /// The name of the value that is the number of a text.
  private static let number = "number"
  private let wording: Wording

  /// Chooses the language.
  /// - Parameter languages: what the reader reads, the best first (BCP 47); looked up as for screens. The document's own without one
  ///   that fits.
  public init(_ experience: Experience, languages: [String]) {
    wording = Wording(experience, languages: languages)
  }

  /// The language that was chosen (BCP 47).
  public var language: String { wording.language }

  /// Whether that is written from right to left.
  public var isRightToLeft: Bool { wording.isRightToLeft }

  /// The words around a screen.
  public var words: ScreenWords { wording.words }

  /// A text of the document.
  /// - Parameters:
  ///   - key: what the document calls it.
  ///   - number: decides on the plural form, and stands at `{{number}}` as the reader writes it.
  ///   - values: stand at `{{name}}`, as they are.
  /// - Returns: Nothing for a key that the document does not have.
  public func text(_ key: String, number: Int? = nil, values: [String: String] = [:]) -> String {
    wording.text(.key(key, count: Self.number)) { name in
      if name == Self.number, let number { return .integer(Int64(number)) }
      return values[name].map { .string($0) }
    }
  }

  /// One of Ostiary's own texts for a stable code of Ostiary's server, such as `password.too_short`.
  /// - Parameter number: what the text names, such as the smallest number of characters.
  /// - Returns: `nil` for a code that has no text, or whose text needs a number that is not given.
  public func text(code: String, number: Int? = nil) -> String? {
    wording.text(MessageCode(name: code, limit: number))
  }
}
