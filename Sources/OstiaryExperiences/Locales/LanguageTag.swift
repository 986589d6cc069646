/// What a language tag (BCP 47) says of language, script, region and variants, in the names that CLDR uses.
///
/// Extensions and private use say nothing about which text fits, and are left out. `sr_Latn_RS`, `en_US.UTF-8` and
/// `de_DE@euro` are read too: systems write them so.
struct LanguageTag: Hashable, Sendable {
  /// `und` where none is named.
  var language: String
  var script: String?
  var region: String?
  /// In lower case, with hyphens between them.
  var variants: String?

  init(_ text: String) {
    let subtags = text.prefix(255).prefix { $0 != "." && $0 != "@" }
      .split(maxSplits: 20, omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
    var rest = subtags[...]
    let first = rest.popFirst().map(String.init) ?? ""
    guard Self.isLetters(first), (2...8).contains(first.utf8.count) else {
      language = Self.unknown
      return
    }
    language = first.lowercased()
    // An extended language (`zh-yue`) is the language itself.
    while let next = rest.first, next.utf8.count == 3, Self.isLetters(next), language.utf8.count <= 3 {
      language = next.lowercased()
      rest.removeFirst()
    }
    if let next = rest.first, next.utf8.count == 4, Self.isLetters(next) {
      script = next.prefix(1).uppercased() + next.dropFirst().lowercased()
      rest.removeFirst()
    }
    if let next = rest.first, Self.isRegion(next) {
      region = next.uppercased()
      rest.removeFirst()
    }
    let names = rest.prefix { $0.utf8.count > 3 }.map { $0.lowercased() }
    variants = names.isEmpty ? nil : names.joined(separator: "-")
    rename()
  }

  private init(_ language: String, _ script: String?, _ region: String?) {
    (self.language, self.script, self.region) = (language, script, region)
  }

  static let unknown = "und"

  private static func isLetters(_ text: some StringProtocol) -> Bool {
    text.utf8.allSatisfy { ($0 | 0x20) &- 97 < 26 }
  }

  private static func isRegion(_ text: some StringProtocol) -> Bool {
    switch text.utf8.count {
    case 2: isLetters(text)
    case 3: text.utf8.allSatisfy { $0 &- 48 < 10 }
    default: false
    }
  }

  /// Replaces what has another name now.
  private mutating func rename() {
    if let name = SortedWords.value(of: language, in: LocaleAliases.languages) {
      let parts = name.split(separator: "-")
      language = String(parts[0])
      for part in parts.dropFirst() {
        if part.utf8.count == 4 { script = script ?? String(part) } else { region = region ?? String(part) }
      }
    }
    if script == "Qaai" { script = "Zinh" }
    if let region, let names = SortedWords.value(of: region, in: LocaleAliases.regions) {
      let all = names.split(separator: ",").map(String.init)
      let likely = Self(language, script, nil).maximized.region
      self.region = likely.flatMap { all.contains($0) ? $0 : nil } ?? all.first
    }
  }

  /// The tag in its usual spelling.
  var name: String { [language, script, region, variants].compactMap { $0 }.joined(separator: "-") }

  /// The tag with the script and the region that are likely where it names none (UTS #35, *Likely Subtags*).
  var maximized: Self {
    guard language == Self.unknown || script == nil || region == nil else { return self }
    var filled = self
    for key in [Self(language, script, region), Self(language, script, nil), Self(language, nil, region)] {
      if filled.fill(key) { return filled }
    }
    if !filled.fill(Self(language, nil, nil)), let script { _ = filled.fill(Self(Self.unknown, script, nil)) }
    return filled
  }

  private mutating func fill(_ key: Self) -> Bool {
    guard let likely = LikelySubtags.of(key) else { return false }
    if language == Self.unknown { language = likely.language }
    (script, region) = (script ?? likely.script, region ?? likely.region)
    return true
  }

  /// The tag and what it falls back to, in order, without the root: CLDR's parents, else the last subtag is taken away.
  /// Taking a script away that is not the language's own would end at texts in another script, so that ends it.
  var ancestors: [Self] {
    var chain = [self]
    var current = self
    while chain.count < 10, let next = current.parent {
      chain.append(next)
      current = next
    }
    return chain
  }

  private var parent: Self? {
    if let name = SortedWords.value(of: name, in: LocaleTables.parents) {
      let parent = Self(name)
      // Hindi in Latin letters has an English parent: its texts are of another language.
      return parent.language == language || language == "nb" || language == "nn" ? parent : nil
    }
    if variants != nil { return Self(language, script, region) }
    if region != nil { return Self(language, script, nil) }
    guard script != nil, language != Self.unknown else { return nil }
    let bare = Self(language, nil, nil)
    return bare.maximized.script == script ? bare : nil
  }

  /// Whether its script, or the one that is likely, is written from right to left.
  var isRightToLeft: Bool { maximized.script.map(LocaleTables.rightToLeft.contains) ?? false }
}
