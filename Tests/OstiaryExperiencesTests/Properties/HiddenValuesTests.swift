import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryExperiences

@Suite("What is printed says nothing about a person", .timeLimit(.minutes(20)))
struct HiddenValuesTests {
  private static let secrets = ["ada@example.com", "+44 20 7946 0000", "Ada Lovelace"]

  private static let values: [any Sendable] = {
    let fields: [String: JSONValue] = [
      "email": .string(secrets[0]), "phone": .string(secrets[1]), "name": .string(secrets[2]),
    ]
    let user = SignedInUser(id: secrets[0], isNew: true, provider: "facebook", properties: fields)
    var profile = UserProfile(anonymousID: "anon-1")
    profile.signIn(as: secrets[0])
    profile.name = secrets[2]
    profile.properties.merge(["phone": .string(secrets[1]), secrets[0]: 1])
    var refusal = ValidationResult.invalid("\(secrets[0]) is taken.")
    refusal.invalidate(field: "email", message: "\(secrets[0]) is taken.")
    let event = UserEvent(
      "Invited \(secrets[0])", date: Date(timeIntervalSince1970: 0), parameters: ["with": .string(secrets[0])],
      subject: .init(profile))
    let field = FieldSnapshot(
      key: "email", kind: .email, label: "Address of \(secrets[2])", value: secrets[0],
      message: "\(secrets[0]) is taken.")
    return [
      user, ExperienceOutcome.signedIn(user), profile, profile.properties, event, event.subject,
      UserValidation(refusal, userID: secrets[0]), ProviderValidation(refusal, userID: secrets[0], properties: fields),
      refusal, ProvidedIdentity(id: secrets[0], fields: fields), field,
      ["email": FieldValue.text(secrets[0]), "pin": .secret(Secret(secrets[1]))],
      PropertyValue.string(secrets[0]), PropertyValue.list([.string(secrets[1])]),
      PropertyProblem(name: secrets[0], reason: .tooLong), RunnerAnswer.user(UserValidation(userID: secrets[0])),
      RunnerNotice.willClose(["email": .text(secrets[0])]),
    ]
  }()

  @Test(
    "Bug-G30: users, fields, properties, answers and events print no address, no number and no name", arguments: 0..<17)
  func printed(_ index: Int) throws {
    try #require(Self.values.count == 17)
    let value = Self.values[index]
    var dumped = ""
    dump(value, to: &dumped)
    for text in ["\(value)", String(describing: value), String(reflecting: value), dumped] {
      for secret in Self.secrets { #expect(!text.contains(secret), "\(text)") }
    }
  }

  @Test("Bug-G30: a moment of an experience prints neither what was entered nor what is known of the user")
  func snapshot() throws {
    let runner = ExperienceRunner(
      try Fixtures.starter(), flow: "feedback", properties: ["first_name": "Ada Lovelace"], delegate: RecordingApp())
    runner.present()
    #expect(runner.snapshot.screen.text?.contains("Ada Lovelace") == true)
    runner.enter("ada@example.com", in: "opinion")
    var dumped = ""
    dump(runner.snapshot, to: &dumped)
    for text in ["\(runner.snapshot)", String(reflecting: runner.snapshot), dumped] {
      for secret in Self.secrets { #expect(!text.contains(secret), "\(text)") }
    }
  }
}
