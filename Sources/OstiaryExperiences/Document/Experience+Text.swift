extension Experience {
  /// A text of the document: written out, or named by a key into ``Experience/texts``.
  ///
  /// `{{first_name}}` in it is replaced by the user property of that name, or by what was just entered for it; with
  /// `{{first_name|friend}}`, by `friend` when there is neither.
  public enum Text: Sendable, Hashable, ExpressibleByStringLiteral {
    /// A text in the document's language.
    case literal(String)
    /// A text of the table, and the property whose number decides its plural form.
    case key(String, count: String? = nil)

    public init(stringLiteral value: String) { self = .literal(value) }
  }

  /// A text in one language: one form, or one for each plural category (CLDR).
  public enum TextForms: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The same for every number.
    case one(String)
    /// By category; ``PluralCategory/other`` is always there in a valid document.
    case plural([PluralCategory: String])

    public init(stringLiteral value: String) { self = .one(value) }

    /// The form for a category, or for ``PluralCategory/other``.
    public func form(_ category: PluralCategory) -> String {
      switch self {
      case .one(let text): text
      case .plural(let forms): forms[category] ?? forms[.other] ?? ""
      }
    }
  }
}

/// The kinds of number that languages tell apart (CLDR, Unicode Technical Standard #35 part 3).
public enum PluralCategory: String, Sendable, Hashable, Codable, CaseIterable {
  /// None, in Arabic, Latvian and Welsh.
  case zero
  /// One, and what counts like it.
  case one
  /// Two, in Arabic, Hebrew, Slovenian, Irish and Welsh.
  case two
  /// Few, such as 2 to 4 in Slavic languages.
  case few
  /// Many, such as 5 to 20 in Slavic languages.
  case many
  /// Everything else. Every text with forms has this one.
  case other
}
