import Foundation
import OstiaryCore
import Testing

@testable import OstiaryExperiences

@Suite("Bug-G20: what people type in their own way", .timeLimit(.minutes(20)))
struct LocalInputTests {
  /// A machine that shows one field.
  private func machine(
    _ field: Experience.Field, _ language: String, texts: [String: [String: Experience.TextForms]] = [:],
    properties: [String: JSONValue] = [:], text: Experience.Text? = nil
  ) -> RunnerMachine {
    let screen = Experience.Screen(
      id: "s", text: text, fields: [field], actions: [.init(id: "go", work: .move(.submit))])
    let experience = Experience(
      id: "e", language: language, texts: texts, flows: [.init(id: "f", kind: .custom, screens: [screen])])
    var machine = RunnerMachine(
      experience, as: nil, flow: nil, screen: nil, languages: [language], properties: properties)
    _ = machine.present()
    return machine
  }

  private func entered(_ text: String, as kind: Experience.FieldKind, _ language: String) -> (FieldValue?, String?) {
    let field = Experience.Field(key: "k", kind: kind)
    var machine = machine(field, language)
    _ = machine.enter(text, in: "k")
    let value = machine.values(of: [field], at: machine.place)["k"]
    _ = machine.perform(action: "go")
    return (value, machine.snapshot().screen.fields.first?.issue?.code.rawValue)
  }

  /// A language, what is typed, and the number.
  private static let numbers: [(language: String, text: String, number: Double)] = [
    ("de", "1,5", 1.5), ("de", "-0,25", -0.25), ("de", "1,234", 1.234), ("en", "1,5", 1.5), ("en", "1.234", 1.234),
    ("en", "1,234.5", 1_234.5), ("de", "1.234,5", 1_234.5), ("de", "1.234.567", 1_234_567),
    ("en", "1,234,567", 1_234_567),
    ("hi", "12,34,567", 1_234_567), ("hi", "१२,३४,५६७.५", 1_234_567.5), ("fr", "1\u{202F}234,5", 1_234.5),
    ("pl", "12\u{A0}345", 12_345), ("fr", "1 234", 1_234), ("de-CH", "1’234.50", 1_234.5), ("de-CH", "1'234", 1_234),
    ("ja", "１２３", 123), ("ja", "１．５", 1.5), ("ja", "－５", -5), ("ar-EG", "١٢٣٫٤", 123.4), ("ar-EG", "١٬٢٣٤", 1_234),
    ("fa", "۱۲٫۵", 12.5), ("fa", "12.5", 12.5), ("ar", "\u{200F}١٢\u{200F}", 12), ("en", "+5", 5), ("en", "−5", -5),
    ("en", "\u{200E}+5\u{200E}", 5), ("en", "1e3", 1_000), ("de", "1,5e3", 1_500), ("en", "0,125", 0.125),
    ("en", ".5", 0.5),
    ("de", ",5", 0.5), ("en", "1234,567", 1_234.567), ("en", "5.", 5), ("en", "12\u{200B}34", 1_234),
    ("th", "๑๒", 12), ("bn", "৪২", 42),
  ]

  @Test("Bug-G20: decimal signs, digits and groups of the reader's language", arguments: numbers)
  func number(language: String, text: String, number: Double) {
    let (value, issue) = entered(text, as: .number, language)
    #expect(value?.number == number)
    #expect(issue == nil)
  }

  @Test(
    "Bug-G20: what can be read in two ways is refused",
    arguments: [("en", "1,234"), ("de", "1.234"), ("fr", "12.345"), ("ja", "１，２３４"), ("en", "-999,000")])
  func ambiguous(language: String, text: String) {
    #expect(entered(text, as: .number, language).1 == "ambiguous_number")
  }

  @Test("Bug-G20: the refusal has an example in the reader's way of writing")
  func example() {
    let field = Experience.Field(key: "k", kind: .number)
    for (language, text, example) in [("en", "1,234", "1234"), ("ar-EG", "١,٢٣٤", "١٢٣٤")] {
      var machine = machine(field, language)
      _ = machine.enter(text, in: "k")
      _ = machine.perform(action: "go")
      #expect(machine.snapshot().screen.fields[0].message?.contains(example) == true)
    }
  }

  @Test("Bug-G20: the refusal of a secure number does not show what was typed")
  func secureExample() throws {
    for (language, text) in [("en", "1,234"), ("de", "1.234")] {
      let field = Experience.Field(key: "k", kind: .number, isSecure: true)
      let issue = try #require(field.check(text, language: language).issue)
      #expect(issue.limit == nil && issue.code == .number)
      var machine = machine(field, language)
      _ = machine.enter(text, in: "k")
      _ = machine.perform(action: "go")
      let message = try #require(machine.snapshot().screen.fields[0].message)
      #expect(!message.contains("1234"))
    }
  }

  @Test(
    "No numbers",
    arguments: [
      "x", "0x10", "nan", "inf", "1e999", "--1", "+-1", "1 2", "1  234", "1.2.3", "1,23,4", "1,2345,678", ".", ",", "-",
      "1.234,5,6", "1'23", "12 34", "1e", "e3", "1e3,5", "½", "Ⅷ", "五", "1,234 5",
    ])
  func noNumber(text: String) {
    for language in ["en", "de", "hi"] { #expect(entered(text, as: .number, language).1 == "number", "\(language)") }
  }

  @Test(
    "Bug-G20: telephone numbers as people write them",
    arguments: [
      ("(+49) 30 901820", "(+49) 30 901820"), ("+49\u{A0}30\u{202F}901820", "+49 30 901820"),
      ("\u{202A}+44 20 7946 0000\u{202C}", "+44 20 7946 0000"), ("＋８１ ３－１２３４－５６７８", "+81 3-1234-5678"),
      ("٠١٢٣٤٥٦٧٨", "012345678"), ("020‑7946‑0000", "020-7946-0000"),
      ("+49 (0) 30 – 90 18 20", "+49 (0) 30 - 90 18 20"),
      ("030/90.18.20", "030/90.18.20"), ("（０３）１２３４", "(03)1234"), (" 112\u{200B}", "112"),
      ("０３ー１２３４ー５６７８", "03-1234-5678"), ("03ｰ1234ｰ5678", "03-1234-5678"),
    ])
  func phone(text: String, value: String) {
    let (found, issue) = entered(text, as: .phone, "de")
    #expect(issue == nil)
    #expect(found == .text(value))
  }

  @Test(
    "No telephone numbers", arguments: ["12", "1+2345", "call me", "+123456789012345678", "++49 30 9018", "(1(+234))"])
  func noPhone(text: String) { #expect(entered(text, as: .phone, "en").1 == "phone") }

  @Test(
    "Bug-G20: invisible characters are no part of an address",
    arguments: [
      ("a@b.c\u{200B}", "a@b.c"), ("\u{FEFF}a@b.c", "a@b.c"), ("\u{202A}a@b.c\u{202C}", "a@b.c"),
      ("a@b.c\u{A0}", "a@b.c"),
      ("ａ＠ｂ．ｃ", "a@b.c"), ("taro@example。co｡jp", "taro@example.co.jp"), ("a@ex\u{AD}ample.com", "a@example.com"),
      ("a\u{2060}@b.c", "a@b.c"),
      ("jo\u{308}rg@example.de", "j\u{F6}rg@example.de"), ("علی\u{200C}رضا@example.com", "علی\u{200C}رضا@example.com"),
    ])
  func email(text: String, value: String) {
    let (found, issue) = entered(text, as: .email, "en")
    #expect(issue == nil)
    #expect(found?.text.map { Array($0.unicodeScalars) } == Array(value.unicodeScalars))
  }

  @Test(
    "No addresses", arguments: ["a\u{3000}b@c.d", "a@b\u{2028}c", "a@b\u{E0041}.c", "a@b\u{200D}.c", "a\u{85}@b.c"])
  func noEmail(text: String) { #expect(entered(text, as: .email, "en").1 == "email") }

  @Test(
    "Bug-G20: days in digits of other scripts",
    arguments: ["२०२४-०१-०१", "２０２４-０１-０１", "2024‑01‑01", " 2024-01-01\u{200E}", "٢٠٢٤-٠١-٠١"])
  func day(text: String) {
    let (found, issue) = entered(text, as: .date, "en")
    #expect(issue == nil)
    #expect(found == .text("2024-01-01"))
  }

  @Test("Secrets are never changed")
  func secrets() {
    let text = " e\u{301}１２\u{200B}\u{A0}"
    for kind in [Experience.FieldKind.password, .newPassword, .oneTimeCode] {
      let secret = Experience.Field(key: "k", kind: kind).check(text).value.secret
      #expect(secret.map { Array($0.reveal().unicodeScalars) } == Array(text.unicodeScalars))
    }
  }

  @Test("Bug-G20: a secret that is entered again in another form of its letters is the new one")
  func secretAgain() {
    let field = Experience.Field(key: "k", kind: .password)
    var machine = machine(field, "en")
    for text in ["\u{E9}", "e\u{301}", "\u{E9}"] {
      _ = machine.enter(text, in: "k")
      let secret = machine.values(of: [field], at: machine.place)["k"]?.secret
      #expect(secret.map { Array($0.reveal().unicodeScalars) } == Array(text.unicodeScalars))
    }
  }

  @Test("Bug-G20: a document's own number and a property are shown as the reader writes them, and mean the same")
  func initial() {
    for (field, properties) in [
      (Experience.Field(key: "k", kind: .number, value: "1.125"), [String: JSONValue]()),
      (Experience.Field(key: "k", kind: .number), ["k": .number(1.125)]),
    ] {
      let machine = machine(field, "de", properties: properties)
      #expect(machine.snapshot().screen.fields[0].value == "1,125")
      #expect(machine.values(of: [field], at: machine.place)["k"] == .number(1.125))
    }
    let long = Experience.Field(key: "k", kind: .number, value: "9007199254740993")
    let machine = machine(long, "ar-EG")
    #expect(machine.snapshot().screen.fields[0].value == "٩٠٠٧١٩٩٢٥٤٧٤٠٩٩٣")
    #expect(machine.values(of: [long], at: machine.place)["k"] == .integer(9_007_199_254_740_993))
  }

  @Test("Bug-G20: a number that was drawn is read as it was drawn, also without a reader's languages")
  func drawn() throws {
    let field = Experience.Field(key: "k", kind: .number, value: "1.125")
    let screen = Experience.Screen(id: "s", fields: [field], actions: [.init(id: "go", work: .move(.submit))])
    for language in ["de", "fr", "en", "ar-EG"] {
      let experience = Experience(
        id: "e", language: language, flows: [.init(id: "f", kind: .custom, screens: [screen])])
      for languages in [[], [language], ["pl"]] {
        let drawn = try #require(experience.draw(screen: "s", of: "f", languages: languages)).fields[0].value
        let entry = try #require(drawn)
        let checked = try #require(experience.check(["k": entry], on: "s", of: "f", languages: languages))
        #expect(checked.issues.isEmpty && checked.values["k"] == .number(1.125), "\(entry)")
      }
    }
  }

  @Test(
    "Bug-G29: numbers are written for the language, and without a needless point or exponent",
    arguments: [
      ("en", JSONValue.number(5), "5 seats"), ("en", .integer(5), "5 seats"),
      ("en", .number(1e16), "10000000000000000 seats"),
      ("en", .number(1e19), "10000000000000000000 seats"), ("de", .number(0.5), "0,5 seats"),
      ("fr", .number(-1.25), "-1,25 seats"), ("ar-EG", .number(12.5), "١٢٫٥ seats"), ("fa", .integer(7), "۷ seats"),
      ("de-CH", .number(0.5), "0.5 seats"), ("en-ZA", .number(0.5), "0,5 seats"),
      ("en", .number(1e-7), "0.0000001 seats"),
      ("de", .string("0.5"), "0.5 seats"),
    ])
  func written(language: String, value: JSONValue, text: String) {
    let field = Experience.Field(key: "k", kind: .text)
    let machine = machine(field, language, properties: ["n": value], text: "{{n}} seats")
    #expect(machine.snapshot().screen.text == text)
  }

  @Test("Bug-G29: a number is the same after it was stored and read again")
  func stored() throws {
    for number in [JSONValue.number(5), .number(1e16), .number(0.5), .number(-3)] {
      let again = try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(number))
      let field = Experience.Field(key: "k", kind: .text)
      let texts = [number, again].map {
        machine(field, "de", properties: ["n": $0], text: "{{n}}").snapshot().screen.text
      }
      #expect(texts[0] == texts[1])
    }
  }

  @Test("Bug-G29: limits are written for the language, and an entered number decides the plural")
  func limits() {
    let field = Experience.Field(key: "k", kind: .number, constraints: .init(minimum: .number(0.5)))
    var machine = machine(
      field, "de", texts: ["de": ["n": .plural([.one: "ein Platz", .other: "{{k}} Plätze"])]],
      text: .key("n", count: "k"))
    _ = machine.enter("0,25", in: "k")
    _ = machine.perform(action: "go")
    #expect(machine.snapshot().screen.fields[0].message == "Das darf nicht kleiner sein als 0,5.")
    _ = machine.enter("１", in: "k")
    #expect(machine.snapshot().screen.text == "ein Platz")
    _ = machine.enter("1,5", in: "k")
    #expect(machine.snapshot().screen.text == "1,5 Plätze")
  }
}
