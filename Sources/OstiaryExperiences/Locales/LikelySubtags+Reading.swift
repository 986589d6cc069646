extension LikelySubtags {
  /// What is likely where a tag names no language, no script or no region; nil where CLDR says nothing about the tag.
  /// What the tag names is the tag's to say: there is nothing about it here.
  static func of(_ tag: LanguageTag) -> (language: String, script: String, region: String?)? {
    if let region = latinRegion(of: tag) { return (tag.language, latin, region) }
    let isKnown = tag.language != LanguageTag.unknown
    let name = isKnown ? tag.name : tag.name.split(separator: "-", maxSplits: 1).last.map(String.init) ?? ""
    guard
      let found = SortedWords.value(of: name, in: isKnown ? knownLanguages : unknownLanguage)?
        .split(separator: ":", omittingEmptySubsequences: false),
      found.count == (isKnown ? 2 : 3)
    else { return nil }
    let (script, region) = (found[found.count - 2], found[found.count - 1])
    return (
      isKnown ? tag.language : String(found[0]), script.isEmpty ? latin : String(script),
      region.isEmpty ? nil : String(region)
    )
  }

  private static let latin = "Latn"

  /// The region of a language of three letters that is written in Latin.
  private static func latinRegion(of tag: LanguageTag) -> String? {
    guard tag.script == nil, tag.region == nil, tag.language.utf8.count == 3, let last = tag.language.utf8.last,
      let group = SortedWords.value(of: String(tag.language.prefix(2)), in: latinLanguages)
    else { return nil }
    // Each takes three bytes, of which two are the region's.
    let bytes = Array(group.utf8)
    for start in stride(from: 0, to: bytes.count - 2, by: 3) where bytes[start] == last {
      return String(decoding: bytes[(start + 1)...(start + 2)], as: UTF8.self)
    }
    return nil
  }
}
