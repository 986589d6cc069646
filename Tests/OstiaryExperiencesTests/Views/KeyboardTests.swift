import Testing

@testable import OstiaryExperiences

@Suite("Views: keyboard")
struct KeyboardTests {
  private func input(
    _ kind: Experience.FieldKind, autofill: String? = nil, isSecure: Bool = false,
    _ constraints: Experience.Constraints = .init()
  ) -> TextInput {
    TextInput(
      FieldSnapshot(
        key: "k", kind: kind, label: "K", isSecure: isSecure, constraints: constraints, autofill: autofill))
  }

  @Test(
    "Bug-D08 A field's kind decides the keyboard",
    arguments: [
      (.text, .usual), (.email, .email), (.phone, .phone), (.number, .numbersAndSigns), (.date, .numbersAndSigns),
      (.password, .usual), (.newPassword, .usual), (.oneTimeCode, .ascii),
    ] as [(Experience.FieldKind, TextInput.Keyboard)])
  func kinds(kind: Experience.FieldKind, keyboard: TextInput.Keyboard) {
    #expect(input(kind).keyboard == keyboard)
  }

  @Test(
    "Bug-D08 A text field has the keyboard of its content",
    arguments: [
      ("email", .email), ("tel", .phone), ("url", .url), ("cc-number", .digits), ("username", .ascii),
      ("given-name", .usual),
      ("off", .usual),
    ] as [(String, TextInput.Keyboard)])
  func contents(autofill: String, keyboard: TextInput.Keyboard) {
    #expect(input(.text, autofill: autofill).keyboard == keyboard)
  }

  @Test("Bug-D08 A number that can be negative has a keyboard with signs, and one that can't has digits")
  func signs() {
    #expect(input(.number, .init(minimum: .number(0))).keyboard == .decimal)
    #expect(input(.number, .init(minimum: .number(16))).keyboard == .decimal)
    #expect(input(.number, .init(minimum: .number(-40))).keyboard == .numbersAndSigns)
    #expect(input(.number, .init(maximum: .number(9))).keyboard == .numbersAndSigns)
  }

  @Test("Bug-D08 No secret, address or name is corrected, and no secret or address gets capital letters")
  func verbatim() {
    for kind in [Experience.FieldKind.email, .phone, .number, .date, .password, .newPassword] {
      let typing = input(kind)
      #expect(!typing.isCorrected && typing.capitalization == .none && typing.isLeftToRight, "\(kind)")
    }
    let pin = input(.text, isSecure: true)
    #expect(!pin.isCorrected && pin.capitalization == .none && pin.isLeftToRight)
    let user = input(.text, autofill: "username")
    #expect(!user.isCorrected && user.capitalization == .none && user.isLeftToRight)
    let name = input(.text, autofill: "family-name")
    #expect(!name.isCorrected && name.capitalization == .words && !name.isLeftToRight)
    #expect(input(.text, autofill: "postal-code").capitalization == .characters)
    let opinion = input(.text)
    #expect(opinion.isCorrected && opinion.capitalization == .sentences && !opinion.isLeftToRight)
    #expect(input(.oneTimeCode).capitalization == .characters, "as on the page of HTML")
  }

  @Test(
    "Bug-D08 What a keyboard of the user's language types is the field's entry",
    arguments: [
      ("3,5", Experience.FieldKind.number, ",", "3.5"), ("3.5", .number, ",", "3.5"),
      ("1.000,5", .number, ",", "1.000,5"),
      ("1,2,3", .number, ",", "1,2,3"), ("3,5", .number, ".", "3,5"), ("٣٫٥", .number, "٫", "3.5"),
      ("3,5", .number, "", "3,5"),
      ("-4", .number, ",", "-4"), ("+٤٩", .phone, ",", "+49"), ("२०२६-११-२२", .date, ".", "2026-11-22"),
      ("٣٫٥", .text, "٫", "٣٫٥"),
      ("a,b", .password, ",", "a,b"), ("½", .number, ",", "½"), ("", .number, ",", ""),
    ] as [(String, Experience.FieldKind, String, String)])
  func entries(typed: String, kind: Experience.FieldKind, separator: String, entry: String) {
    #expect(TextInput.entry(typed, for: kind, separator: separator) == entry)
  }

  @Test(
    "Bug-G20: three decimals that a device's keyboard types are three decimals, in every language of the experience",
    arguments: [
      ("de", "1,234", ",", 1.234), ("en", "1,234", ",", 1.234), ("de", "1.234", ".", 1.234),
      ("en", "1.234", ".", 1.234),
      ("ar-EG", "١٫٢٣٤", "٫", 1.234), ("de-CH", "1,234", ",", 1.234), ("fr", "-12,345", ",", -12.345),
      ("de", "1.234,5", ",", 1_234.5), ("en", "3,5", ",", 3.5),
    ])
  func decimals(language: String, typed: String, separator: String, number: Double) throws {
    let field = Experience.Field(key: "k", kind: .number)
    let screen = Experience.Screen(id: "s", fields: [field], actions: [.init(id: "go", work: .move(.submit))])
    let experience = Experience(
      id: "e", language: language, flows: [.init(id: "f", kind: .custom, screens: [screen])])
    let drawn = try #require(experience.draw(screen: "s", of: "f", languages: [language])).fields[0]
    let entry = TextInput.entry(typed, for: drawn, separator: separator)
    let (value, issue) = field.check(entry, language: language)
    #expect(value.number == number && issue == nil, "\(entry)")
  }

  @Test("Bug-G20: a keyboard's digits and separator stay as they are in a secret")
  func secretEntries() {
    for kind in [Experience.FieldKind.number, .phone, .date, .password] {
      let field = FieldSnapshot(key: "k", kind: kind, label: "K", isSecure: true)
      #expect(TextInput.entry("١,٢", for: field, separator: ",") == "١,٢")
    }
  }

  /// The name of the control, without what it shows.
  private func control(_ kind: Experience.FieldKind, isSecure: Bool = false) -> String {
    switch FieldSnapshot(key: "k", kind: kind, label: "K", isSecure: isSecure).control {
    case .hidden: "hidden"
    case .toggle: "toggle"
    case .options: "options"
    case .calendar: "calendar"
    case .text: "text"
    case .secret: "secret"
    }
  }

  @Test("Bug-D08 A field's kind decides its control, and a secret is covered")
  func controls() {
    #expect(control(.hidden) == "hidden")
    #expect(control(.toggle) == "toggle")
    #expect(control(.choice) == "options")
    #expect(control(.date) == "calendar")
    for kind in [Experience.FieldKind.text, .email, .phone, .number, .init(rawValue: "slider")] {
      #expect(control(kind) == "text", "\(kind)")
    }
    for kind in [Experience.FieldKind.password, .newPassword] { #expect(control(kind) == "secret", "\(kind)") }
    for kind in [Experience.FieldKind.text, .choice, .date] {
      #expect(control(kind, isSecure: true) == "secret", "a native control would show \(kind)")
    }
    #expect(control(.oneTimeCode) == "text", "it is good for minutes, and is typed from another screen")
  }
}
