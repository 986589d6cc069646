/// Which of several languages fits a reader: the look-up of RFC 4647, section 3.4, with the fallbacks of CLDR.
extension LanguageTag {
  /// A language that there are texts in.
  struct Candidate: Sendable {
    /// As it was written.
    let name: String
    fileprivate let ancestors: [LanguageTag]

    init(_ name: String) {
      self.name = name
      ancestors = LanguageTag(name).written
    }
  }

  /// The fallbacks of a tag in one spelling: `zh-TW` is `zh-Hant-TW`, and `zh-Hans-CN` and `zh-CN` are `zh`.
  var written: [LanguageTag] { spelled(keepsRegion: false).ancestors }

  /// The tag without the script that is the language's own, and perhaps without the region that is likely.
  func spelled(keepsRegion: Bool) -> LanguageTag {
    var tag = self
    var bare = self
    (bare.script, bare.region, bare.variants) = (nil, nil, nil)
    let (likely, own) = (maximized, bare.maximized)
    tag.script = likely.script == own.script ? nil : likely.script
    if !keepsRegion, tag.script == nil, tag.region == own.region, variants == nil { tag.region = nil }
    return tag
  }

  /// The best of the candidates, or `nil` where none is in one of the wanted languages.
  ///
  /// For each wanted language in turn: the language itself or the nearest of its fallbacks; then the same language and
  /// script of another region. Only when no language has led to anything, the same language in another script.
  static func lookUp(_ wanted: [String], among candidates: [Candidate]) -> Candidate? {
    // Most readers want just what is there.
    if let first = wanted.first, let exact = candidates.first(where: { $0.name.lowercased() == first.lowercased() }) {
      return exact
    }
    let chains = wanted.prefix(20).map { LanguageTag($0).written }.filter { $0.first?.language != unknown }
    for (wanted, chain) in zip(wanted.prefix(20), chains) {
      if let exact = candidates.first(where: { $0.name.lowercased() == wanted.lowercased() }) { return exact }
      for tag in chain {
        if let found = candidates.first(where: { $0.ancestors.first == tag }) { return found }
      }
      for tag in chain {
        if let found = nearest(to: tag, among: candidates) { return found }
      }
    }
    for chain in chains {
      if let found = candidates.first(where: { $0.ancestors.first?.language == chain.first?.language }) { return found }
    }
    return nil
  }

  /// The candidate that has a tag among its fallbacks, the nearest first.
  private static func nearest(to tag: LanguageTag, among candidates: [Candidate]) -> Candidate? {
    candidates.enumerated()
      .compactMap { place, candidate in candidate.ancestors.firstIndex(of: tag).map { ($0, place, candidate) } }
      .min { ($0.0, $0.1) < ($1.0, $1.1) }?.2
  }

  /// The fallbacks of a language among the candidates, the nearest first, for a text that is not there in the language.
  static func fallbacks(of language: String, among candidates: [Candidate]) -> [Candidate] {
    var found: [Candidate] = []
    for tag in LanguageTag(language).written {
      found += candidates.filter { candidate in
        candidate.ancestors.first == tag && !found.contains { $0.name == candidate.name }
      }
    }
    return found
  }
}
