import Foundation
import OstiaryCore
import Testing

@testable import OstiaryExperiences

@Suite("Bug-G18: which language a reader gets", .timeLimit(.minutes(20)))
struct LookUpTests {
  /// What a reader wants, what there is (the first is the document's own), and what is chosen.
  private static let cases: [(wanted: String, there: String, chosen: String)] = [
    ("zh-Hant-TW", "en zh-Hans zh-Hant", "zh-Hant"), ("zh-TW", "en zh-Hans zh-Hant", "zh-Hant"),
    ("zh-HK", "en zh zh-Hant", "zh-Hant"), ("zh-MO", "en zh-Hans zh-Hant-HK zh-Hant-TW", "zh-Hant-HK"),
    ("zh-Hant", "en zh-CN zh-TW", "zh-TW"), ("zh-SG", "en zh-Hant zh-CN", "zh-CN"), ("zh", "en zh-TW zh-CN", "zh-CN"),
    ("cmn-Hans", "en zh-Hant zh", "zh"),
    ("sr-Latn-RS", "en sr sr-Latn", "sr-Latn"), ("sr-ME", "en sr sr-Latn", "sr-Latn"),
    ("sh", "en sr sr-Latn", "sr-Latn"),
    ("sr-RS", "en sr-Latn sr-Cyrl", "sr-Cyrl"), ("sr_Latn_RS", "en sr sr-Latn", "sr-Latn"),
    ("nb", "en no", "no"), ("nb-NO", "en no da", "no"), ("no", "en nb", "nb"), ("nn", "en nb sv", "nb"),
    ("iw", "en he", "he"), ("he-IL", "en iw", "iw"), ("in", "en id", "id"), ("tl", "en fil", "fil"),
    ("mo", "en ro", "ro"),
    ("es-MX", "en es-ES es-419", "es-419"), ("es-MX", "en es es-419", "es-419"), ("es-ES", "en es-419 es", "es"),
    ("pt-AO", "en pt pt-PT", "pt-PT"), ("pt-BR", "en pt-PT pt", "pt"), ("en-AU", "de en-US en-GB", "en-US"),
    ("en-AU", "de en-US en-001", "en-001"), ("en-CH", "de en en-150", "en-150"), ("de-AT", "en de-CH", "de-CH"),
    ("de-DE-1996", "en de-AT de", "de"), ("de-DE-u-co-phonebk", "en de", "de"), ("de_DE.UTF-8", "en de", "de"),
    ("fr-CA, de", "en de", "de"), ("fr-CA, de", "en de fr", "fr"), ("gsw, fr", "en de fr", "fr"),
    // Another script is better than another language, but only when nothing else is wanted.
    ("zh-Hant", "en zh-Hans", "zh-Hans"), ("zh-Hant, en", "fr zh-Hans en", "en"), ("az-Arab", "en az", "az"),
    ("hi-Latn", "en hi", "hi"),
    // Nothing fits, or nothing is said: the document's own.
    ("fi", "en de", "en"), ("", "de en", "de"), ("*", "de en", "de"), ("C", "de en", "de"), ("POSIX", "de en", "de"),
    ("und", "de en", "de"), ("x-private", "de en", "de"), ("123", "de en", "de"), ("e\u{301}n", "de en", "de"),
  ]

  @Test("Bug-G18: look-up of RFC 4647 with CLDR's parents, aliases and likely subtags", arguments: cases)
  func choice(wanted: String, there: String, chosen: String) {
    let names = there.split(separator: " ").map(String.init)
    let texts = Dictionary(uniqueKeysWithValues: names.map { ($0, ["hello": Experience.TextForms.one($0)]) })
    let experience = Experience(id: "e", language: names[0], texts: texts, flows: [])
    let languages = wanted.split(separator: ",").map { String($0.drop { $0 == " " }) }
    #expect(Wording(experience, languages: languages).language == chosen)
  }

  @Test(
    "Bug-G18: a tag is completed with CLDR's likely subtags",
    arguments: [
      // In Latin, of three letters: the first and the last of the table, and one in the midst of its group.
      ("aaa", "aaa-Latn-NG"), ("zza", "zza-Latn-TR"), ("fuf", "fuf-Latn-GN"), ("aay", "aay"), ("qqq", "qqq"),
      ("fil", "fil-Latn-PH"), ("fil-US", "fil-Latn-US"), ("bal-Latn", "bal-Latn-PK"),
      // In another script, of another length, with a script or a region.
      ("acm", "acm-Arab-IQ"), ("zzj", "zzj-Hani-CN"), ("unr", "unr-Beng-IN"), ("unr-Deva", "unr-Deva-NP"),
      ("de", "de-Latn-DE"), ("ia", "ia-Latn-001"), ("az", "az-Latn-AZ"), ("az-Arab", "az-Arab-IR"),
      ("az-IQ", "az-Arab-IQ"), ("sr-ME", "sr-Latn-ME"), ("ky-TR", "ky-Latn-TR"), ("en-150", "en-Latn-150"),
      // Without a language.
      ("und", "en-Latn-US"), ("und-419", "es-Latn-419"), ("und-DE", "de-Latn-DE"), ("und-Adlm", "ff-Adlm-GN"),
      ("und-Arab-AF", "fa-Arab-AF"), ("und-Latn", "en-Latn-US"),
    ])
  func likely(tag: String, completed: String) {
    #expect(LanguageTag(tag).maximized.name == completed)
  }

  @Test("Bug-G18: a text that a region lacks comes from its parent, and not from another script")
  func parents() {
    let experience = Experience(
      id: "e", language: "en",
      texts: [
        "en": ["a": "en a", "b": "en b", "c": "en c"], "es": ["a": "es a", "b": "es b"], "es-419": ["a": "419 a"],
        "es-MX": ["x": "mx"], "zh-Hant-TW": ["x": "tw"], "zh-Hant": ["a": "hant a"], "zh": ["b": "hans b"],
      ], flows: [])
    func texts(_ language: String) -> [String] {
      let wording = Wording(experience, languages: [language])
      return ["a", "b", "c"].map { wording.text(.key($0)) { _ in nil } }
    }
    #expect(texts("es-MX") == ["419 a", "es b", "en c"])
    #expect(texts("zh-TW") == ["hant a", "en b", "en c"])
  }

  @Test(
    "Bug-G19: the direction is that of the script",
    arguments: [
      ("ar", true), ("ar-Latn", false), ("az-Arab", true), ("az", false), ("az-IR", true), ("ks", true),
      ("ks-Deva", false), ("nqo", true), ("syr", true), ("he", true), ("iw", true), ("yi", true), ("ji", true),
      ("dv", true), ("ckb", true), ("ku", false), ("pa-PK", true), ("pa", false), ("uz-AF", true), ("ff-Adlm", true),
      ("rhg", true), ("ur", true), ("ur-Latn", false), ("fa", true), ("tg", false), ("ms-Arab", true), ("en", false),
      ("de-Hebr", true), ("und-Thaa", true), ("xx", false), ("zh-Hant", false), ("prs", true),
    ])
  func direction(language: String, isRightToLeft: Bool) {
    let wording = Wording(Experience(id: "e", language: language, flows: []), languages: [])
    #expect(wording.isRightToLeft == isRightToLeft)
  }

  private func page(language: String) throws -> String {
    let screen = Experience.Screen(
      id: "s", title: .key("title"), text: "Written out.",
      fields: [
        .init(
          key: "name", kind: .choice, label: .key("label"), help: .key("help"),
          options: [.init("a", label: .key("option"))])
      ],
      actions: [.init(id: "go", label: .key("go"), work: .move(.submit))])
    let experience = Experience(
      id: "e", language: "en",
      texts: [
        "en": ["title": "Title", "label": "Label", "help": "Help", "option": "Option", "go": "Go"],
        "ar": ["title": "عنوان", "option": "خيار"], "fi": ["title": "Otsikko", "label": "Nimi"],
      ], flows: [.init(id: "f", kind: .custom, screens: [screen])])
    let drawn = try #require(
      experience.draw(
        screen: "s", of: "f", issues: ["name": FieldIssue(.choice)], result: .valid, languages: [language]))
    return ExperiencePage(drawn, action: "/", style: .none).html
  }

  @Test("Bug-G19: each text names its own language and direction")
  func languages() throws {
    let english = try page(language: "en")
    #expect(english.components(separatedBy: "lang=").count == 2)
    let arabic = try page(language: "ar-EG")
    #expect(arabic.contains(#"<html lang="ar" dir="rtl">"#))
    #expect(arabic.contains("<h1>عنوان</h1>"))
    #expect(arabic.contains(#"<p lang="en" dir="ltr">Written out.</p>"#))
    #expect(arabic.contains(#"<p class="help" id="help-name" lang="en" dir="ltr">Help</p>"#))
    #expect(arabic.contains(#"<span lang="en" dir="ltr">Label</span>"#))
    #expect(arabic.contains(#"<option value="a">خيار</option>"#))
    #expect(arabic.contains(#" value="go" lang="en" dir="ltr">Go</button>"#))
    // Finnish isn't among the languages that Ostiary's own texts are in.
    let finnish = try page(language: "fi")
    #expect(finnish.contains(#"<html lang="fi" dir="ltr">"#))
    #expect(finnish.contains(#"id="message-name" lang="en" dir="ltr">Choose one of the options.</p>"#))
    #expect(finnish.contains(#"<option value="" selected lang="en" dir="ltr">Please choose</option>"#))
    #expect(finnish.contains(#"<strong lang="en" dir="ltr">There is a problem</strong>"#))
    #expect(finnish.contains(#"<span class="optional" lang="en" dir="ltr">(optional)</span>"#))
  }

  /// A page in Persian on which an app has refused something.
  private func persian(_ result: ValidationResult) throws -> String {
    let screen = Experience.Screen(
      id: "s", title: .key("title"), fields: [.init(key: "email", kind: .email, label: .key("title"))],
      actions: [.init(id: "go", work: .move(.submit))])
    let experience = Experience(
      id: "e", language: "fa", texts: ["fa": ["title": "عنوان"]],
      flows: [.init(id: "f", kind: .custom, screens: [screen])])
    let drawn = try #require(experience.draw(screen: "s", of: "f", result: result, languages: ["fa-IR"]))
    return ExperiencePage(drawn, action: "/", style: .none).html
  }

  @Test("Bug-G19: the text of a server's code names its language, where Ostiary has none in the page's")
  func codes() throws {
    var result = ValidationResult.valid
    result.invalidate(message: "?", code: "limits.wait", limit: 30)
    result.invalidate(field: "email", message: "?", code: "email.taken")
    let page = try persian(result)
    #expect(page.contains(#"<html lang="fa" dir="rtl">"#))
    #expect(page.contains(##"id="message-email" lang="en" dir="ltr">That e-mail address has an account"##), "\(page)")
    let listed = page.components(separatedBy: "<li").dropFirst().map { $0 }
    #expect(listed.count == 2 && listed.first?.hasPrefix(#" lang="en" dir="ltr">Please wait "#) == true, "\(page)")
    // An app's own message is taken for one in the page's language.
    var own = ValidationResult.invalid("نشد.")
    own.invalidate(field: "email", message: "گرفته شده است.")
    let other = try persian(own)
    #expect(other.contains(#"id="message-email">گرفته شده است.</p>"#), "\(other)")
    #expect(other.contains("<li>نشد.</li>"), "\(other)")
  }
}
