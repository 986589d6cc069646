import Testing

@testable import OstiaryExperiences

@Suite("Views: content type")
struct ContentTypeTests {
  private func content(_ kind: Experience.FieldKind, autofill: String? = nil) -> TextContent? {
    TextInput(FieldSnapshot(key: "k", kind: kind, label: "K", autofill: autofill)).content
  }

  @Test(
    "Bug-D08 A field's kind decides what a password manager fills in, where the document says nothing",
    arguments: [
      (Experience.FieldKind.email, TextContent.emailAddress), (.phone, .telephoneNumber), (.password, .password),
      (.newPassword, .newPassword), (.oneTimeCode, .oneTimeCode), (.text, nil), (.number, nil), (.date, nil),
    ] as [(Experience.FieldKind, TextContent?)])
  func kinds(kind: Experience.FieldKind, expected: TextContent?) {
    #expect(content(kind) == expected)
  }

  @Test(
    "Bug-D08 A document's autofill token decides the content type",
    arguments: [
      ("username", TextContent.username), ("given-name", .givenName), ("family-name", .familyName),
      ("tel", .telephoneNumber),
      ("section-a shipping postal-code", .postalCode), ("USERNAME", .username), ("username webauthn", .username),
      ("webauthn", nil), ("off", nil), ("bday", nil), ("", nil), ("  ", nil), ("mystery", nil),
    ] as [(String, TextContent?)])
  func tokens(autofill: String, expected: TextContent?) {
    #expect(content(.text, autofill: autofill) == expected)
  }

  @Test("Bug-D08 A token of the document counts before the kind's, so that an e-mail address can be the user name")
  func tokenBeforeKind() throws {
    #expect(content(.email, autofill: "username") == .username)
    #expect(content(.email, autofill: "off") == nil)
    let screen = try Fixtures.runner("log-in", RecordingApp()).snapshot.screen
    #expect(screen.fields.map { TextInput($0).content } == [.username, .password])
  }

  @Test("Bug-D08 Every content type is reached by its token")
  func everyToken() {
    for content in TextContent.allCases { #expect(TextContent(autofill: content.rawValue) == content) }
  }
}
