import OstiaryCore
import OstiaryExperiences
import Testing

@Suite("Bug-G21: texts outside of screens", .timeLimit(.minutes(20)))
struct ExperienceWordingTests {
  private static let experience = Experience(
    id: "mail", language: "en",
    texts: [
      "en": [
        "hello": "Hello, {{name}}!", "only": "Only here.",
        "left": .plural([.one: "{{number}} day left.", .other: "{{number}} days left."]),
      ],
      "pl": [
        "hello": "Witaj, {{name}}!",
        "left": .plural([
          .one: "Pozostał {{number}} dzień.", .few: "Pozostały {{number}} dni.", .many: "Pozostało {{number}} dni.",
          .other: "Pozostało {{number}} dnia.",
        ]),
      ],
      "ar": ["left": .plural([.two: "بقي يومان.", .other: "بقي {{number}} يوم."])],
    ], flows: [])

  @Test("Bug-G21: a document's texts are worded for one reader, with plurals, digits and values")
  func texts() {
    let polish = ExperienceWording(Self.experience, languages: ["pl-PL", "en"])
    #expect(polish.language == "pl" && !polish.isRightToLeft && polish.words.yes == "tak")
    #expect(polish.text("hello", values: ["name": "{{number}}"]) == "Witaj, {{number}}!")
    #expect(
      [1, 3, 5, 22].map { polish.text("left", number: $0) } == [
        "Pozostał 1 dzień.", "Pozostały 3 dni.", "Pozostało 5 dni.", "Pozostały 22 dni.",
      ])
    #expect(polish.text("only") == "Only here." && polish.text("none").isEmpty)
    let egyptian = ExperienceWording(Self.experience, languages: ["ar-EG"])
    #expect(egyptian.isRightToLeft && egyptian.text("left", number: 2) == "بقي يومان.")
    #expect(egyptian.text("left", number: 100) == "بقي ١٠٠ يوم.")
    #expect(ExperienceWording(Self.experience, languages: ["sw"]).language == "en")
  }

  @Test("Bug-G21: a server's codes are worded, those with a number only with it")
  func codes() {
    let english = ExperienceWording(Self.experience, languages: ["en"])
    #expect(english.text(code: "password.wrong") == "That is not the current password.")
    #expect(english.text(code: "limits.wait", number: 1) == "Please wait 1 second before you try again.")
    #expect(english.text(code: "limits.wait") == nil && english.text(code: "app.own") == nil)
  }
}
