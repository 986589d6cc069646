import Foundation
import OstiaryCore
import OstiaryExperiences
import Testing

@Suite("User properties", .timeLimit(.minutes(20)))
struct UserPropertiesTests {
  static let date = Date(timeIntervalSince1970: 1_800_000_000.25)

  @Test("Every type comes back from rest as what it was")
  func codable() throws {
    let properties = UserProperties([
      "text": "a", "empty": "", "whole": 9_007_199_254_740_993, "number": 1.5, "yes": true, "no": false,
      "list": ["a", 2],
      "none": [], "since": .date(Self.date), "dates": .list([.date(Self.date)]), "looks": "2026-11-22T00:00:00Z",
    ])
    let data = try JSONEncoder().encode(properties)
    #expect(try JSONDecoder().decode(UserProperties.self, from: data) == properties)
    #expect(properties.values.count == 11)
  }

  @Test(
    "A value as a text shows it",
    arguments: [
      ("a", "a"), (12, "12"), (12.0, "12"), (0.5, "0.5"), (true, "true"), (["a", 1], "a, 1"),
      (.date(date), "2027-01-15T08:00:00.250Z"),
    ] as [(PropertyValue, String)])
  func text(_ value: PropertyValue, _ text: String) {
    #expect(value.text == text)
  }

  @Test("JSON becomes a property where one can hold it")
  func json() {
    #expect(PropertyValue(.string("a")) == "a")
    #expect(PropertyValue(.array([1, true])) == [1, true])
    #expect(PropertyValue(.null) == nil)
    #expect(PropertyValue(.object([:])) == nil)
    #expect(PropertyValue(.array([.array([])])) == nil)
    #expect(PropertyValue.date(Self.date).json == .string("2027-01-15T08:00:00.250Z"))
  }

  @Test("New properties are merged into those that are there")
  func merge() {
    var properties = UserProperties(["a": 1, "b": 2])
    #expect(properties.merge(["b": "two", "c": 3]).isEmpty)
    #expect(properties.values == ["a": 1, "b": "two", "c": 3])
    properties.remove("a")
    #expect(properties["a"] == nil)
  }

  @Test("What exceeds a limit is refused by name, and the rest is taken")
  func limits() {
    var limits = PropertyLimits()
    limits.count = 3
    limits.nameLength = 4
    limits.textLength = 4
    limits.listCount = 2
    var properties = UserProperties()
    let problems = properties.merge(
      [
        "": 1, "large": 1, "long": "ééé", "list": [1, 2, 3], "nest": [[1]], "nan": .number(.nan), "in": ["12345"],
        "a": "1234", "b": true, "c": 1, "d": 2,
      ], limits: limits)
    #expect(properties.values == ["a": "1234", "b": true, "c": 1])
    let reasons = Dictionary(uniqueKeysWithValues: problems.map { ($0.name, $0.reason) })
    #expect(
      reasons == [
        "": .name, "large": .name, "long": .tooLong, "list": .tooLong, "nest": .notAValue, "nan": .notAValue,
        "in": .tooLong, "d": .tooMany,
      ])
    // One that is there can be changed although no new one fits.
    #expect(properties.merge(["c": 4, "e": 5], limits: limits).map(\.name) == ["e"])
    #expect(properties["c"] == 4)
  }

  @Test("Values are not shown")
  func description() {
    let properties = UserProperties(["email": "ann@example.com"])
    #expect("\(properties)" == "UserProperties(email)")
    #expect(!String(reflecting: Mirror(reflecting: properties).children.map { "\($0)" }).contains("ann"))
  }

  @Test(
    "Primer-P22: what tells who a person is, by its name",
    arguments: [
      ("email", true), ("work_email", true), ("workEmail", true), ("E-MAIL", true), ("phone2", true),
      ("first name", true),
      ("firstName", true), ("date_of_birth", true), ("profile_pic", true), ("IDFA", true), ("homeAddress", true),
      ("plan", false), ("emailed", false), ("seats", false), ("mailbox", false), ("tip", false), ("screen", false),
    ])
  func personalNames(_ name: String, _ isPersonal: Bool) {
    #expect(PersonalData.usual.includes(name: name) == isPersonal)
  }

  @Test("Primer-P22: an e-mail address is personal under whatever name")
  func personalValues() {
    #expect(PersonalData.usual.includes("note", "write to ann@example.com please"))
    #expect(PersonalData.usual.includes("note", ["a", "ann@example.com"]))
    #expect(!PersonalData.usual.includes("note", "meet @ noon"))
    #expect(!PersonalData.usual.includes("count", 3))
  }
}
