import OstiaryCore
import Testing

@testable import OstiaryExperiences

@Suite("Fields", .timeLimit(.minutes(20)))
struct FieldCheckTests {
  private typealias Field = Experience.Field

  private func issue(
    _ kind: Experience.FieldKind, _ entry: String?, required: Bool = false,
    _ constraints: Experience.Constraints = Experience.Constraints()
  ) -> FieldIssue.Code? {
    Field(key: "k", kind: kind, isRequired: required, constraints: constraints, options: [.init("a"), .init("b")])
      .check(entry).issue?.code
  }

  @Test("E-mail addresses", arguments: ["a@b.c", "ada.l+x@example.co.uk", "jörg@exämple.de", "a@localhost", " a@b.c "])
  func goodEmail(text: String) { #expect(issue(.email, text) == nil) }

  @Test(
    "No e-mail addresses",
    arguments: ["a", "@b", "a@", "a@b..c", "a b@c.d", "a@-b.c", "a@b.c\u{0}", "a@b c", "a\n@b.c"])
  func badEmail(text: String) { #expect(issue(.email, text) == .email) }

  @Test("Telephone numbers", arguments: ["+44 20 7946-0000", "(030) 901820", "112"])
  func goodPhone(text: String) { #expect(issue(.phone, text) == nil) }

  @Test("No telephone numbers", arguments: ["12", "1+2345", "call me", "+123456789012345678"])
  func badPhone(text: String) { #expect(issue(.phone, text) == .phone) }

  @Test("Numbers", arguments: [("7", 7.0), ("-1.5", -1.5), ("1e3", 1_000), (" 4 ", 4)])
  func goodNumber(text: String, value: Double) {
    #expect(Field(key: "k", kind: .number).check(text).value == .number(value))
  }

  @Test("No numbers", arguments: ["x", "0x10", "nan", "inf", "1e999", "--1", "1 2"])
  func badNumber(text: String) { #expect(issue(.number, text) == .number) }

  @Test("Days", arguments: ["2024-02-29", "0001-01-01", "2000-02-29"])
  func goodDay(text: String) { #expect(issue(.date, text) == nil) }

  @Test(
    "No days",
    arguments: ["2023-02-29", "1900-02-29", "2024-13-01", "2024-00-10", "24-1-1", "2024-01-32", "२०२४-१३-०१"])
  func badDay(text: String) { #expect(issue(.date, text) == .date) }

  @Test("Bounds are part of the range")
  func bounds() throws {
    let numbers = Experience.Constraints(minimum: .number(1), maximum: .number(3))
    #expect(["1", "3"].allSatisfy { issue(.number, $0, numbers) == nil })
    #expect(issue(.number, "0.9", numbers) == .tooSmall)
    #expect(issue(.number, "3.1", numbers) == .tooLarge)
    let first = try #require(CalendarDay("2020-01-02"))
    let days = Experience.Constraints(minimum: .day(first), maximum: .day(first))
    #expect(issue(.date, "2020-01-02", days) == nil)
    #expect(issue(.date, "2020-01-01", days) == .tooSmall)
    #expect(issue(.date, "2020-01-03", days) == .tooLarge)
  }

  @Test("Lengths count code points, and nothing is longer than the longest")
  func lengths() {
    let limits = Experience.Constraints(minLength: 2, maxLength: 3)
    #expect(issue(.text, "é", limits) == .tooShort)
    #expect(issue(.newPassword, "🔑🔑🔑", limits) == nil)
    #expect(issue(.newPassword, "🔑🔑🔑🔑", limits) == .tooLong)
    #expect(issue(.text, String(repeating: "a", count: 4_096)) == nil)
    #expect(issue(.text, String(repeating: "a", count: 4_097)) == .tooLong)
  }

  @Test("Bug-G12: an option with spaces at its ends can be chosen, with them and without")
  func spacedOption() {
    let field = Field(key: "k", kind: .choice, isRequired: true, options: [.init(" a "), .init("b"), .init("a b ")])
    for (entry, option) in [(" a ", " a "), ("a", " a "), (" b", "b"), ("a b", "a b ")] {
      let (value, issue) = field.check(entry)
      #expect(value == .text(option) && issue == nil, "\(entry)")
    }
    #expect(field.check("c ").issue?.code == .choice && field.check("  ").issue?.code == .required)
    let both = Field(key: "k", kind: .choice, options: [.init("a "), .init("a")])
    #expect(both.check("a").value == .text("a") && both.check("a ").value == .text("a "))
  }

  @Test("Empty and blank entries")
  func empty() {
    #expect(issue(.text, nil) == nil)
    #expect(issue(.text, nil, required: true) == .required)
    #expect(issue(.text, "  ", required: true) == .required)
    #expect(issue(.password, "   ", required: true) == nil, "a password may be what it likes")
    #expect(issue(.toggle, nil, required: true) == .mustBeOn)
    #expect(issue(.toggle, "on", required: true) == nil)
    #expect(issue(.choice, "c") == .choice)
    #expect(issue(.choice, "b") == nil)
  }
}
