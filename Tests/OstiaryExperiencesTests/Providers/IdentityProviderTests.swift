import OstiaryCore
import OstiaryExperiences
import Testing

@Suite("Providers")
struct IdentityProviderTests {
  @Test("Primer-P10: what a provider told becomes properties, also what is inside of something")
  func properties() async throws {
    let provider = ClosureIdentityProvider("facebook") {
      ProvidedIdentity(
        id: "42",
        fields: [
          "id": "42", "name": "Ann", "age": 30, "verified": true, "languages": .array(["de", "en"]), "nothing": .null,
          "location": .object(["id": "7", "name": "Bonn"]), "friends": .array([.object(["id": "43"])]),
        ])
    }
    let identity = try await provider.signIn()
    #expect(provider.name == "facebook" && identity.id == "42")
    #expect(
      identity.properties == [
        "id": "42", "name": "Ann", "age": 30, "verified": true, "languages": ["de", "en"], "location.id": "7",
        "location.name": "Bonn",
      ])
    #expect(!"\(identity)".contains("Ann"))
  }
}
