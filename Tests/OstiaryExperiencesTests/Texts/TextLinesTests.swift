import OstiaryExperiences
import Testing

@Suite("Bug-G21: texts as lines")
struct TextLinesTests {
  @Test("Bug-G21: lines are a table of texts and of texts with plural forms")
  func texts() {
    let table = Experience.TextForms.table(
      """
      first: One: two.
      days:
        one: {{number}} day.
        other: {{number}} days, a line that is \
      continued.
      one: A name of a category is a name.
      mark: \u{200E}+966
      """)
    #expect(
      table == [
        "first": "One: two.", "one": "A name of a category is a name.", "mark": "\u{200E}+966",
        "days": .plural([.one: "{{number}} day.", .other: "{{number}} days, a line that is continued."]),
      ])
    #expect(Experience.TextForms.table("").isEmpty)
  }

  @Test("Bug-G21: no line is lost: what is wrong is a name without a form")
  func wrong() {
    let table = Experience.TextForms.table(
      """
      long: A line that goes on
      without saying so.
      days:
        one: {{number}} day.
        others: {{number}} days.
      plain: Text.
        other: A form of a plain text.
      """)
    let none = Experience.TextForms.plural([:])
    #expect(
      table == [
        "long": "A line that goes on", "without saying so.": none, "days": .plural([.one: "{{number}} day."]),
        "others": "{{number}} days.", "plain": "Text.", "other": "A form of a plain text.",
      ])
  }

  @Test("Bug-G21: a name or a form that stands twice leaves the name without a form")
  func twice() {
    let table = Experience.TextForms.table(
      """
      yes: Yes
      days:
        other: Days.
        other: Other days.
      yes: Yes.
      no: No
      """)
    #expect(table == ["yes": .plural([:]), "days": .plural([:]), "no": "No"])
  }

  @Test("Bug-G21: lines of any bytes are read without end")
  func odd() {
    #expect(Experience.TextForms.table(":") == ["": .plural([:])])
    #expect(Experience.TextForms.table("\n \n: a\n") == ["": .plural([:])])
    #expect(Experience.TextForms.table(" other: x") == ["other": "x"])
    #expect(Experience.TextForms.table("é") == ["é": .plural([:])])
  }
}
