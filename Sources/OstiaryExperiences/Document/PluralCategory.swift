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
