import OstiaryCore
import OstiaryNewzulu
import Testing

@Suite("A Newzulu user, as servers spell one")
struct NewzuluUserTests {
  @Test("Newzulu-N2: names and addresses that are null, empty, blank or missing are all nil")
  func missing() throws {
    let spellings: [JSONValue?] = [.some(.null), .some(""), .some("  "), .some(false), .some(.array([])), nil]
    for spelling in spellings {
      var members: [String: JSONValue] = ["id": "1", "user": "ann"]
      for name in ["firstname", "lastname", "email"] { members[name] = spelling }
      let user = try #require(NewzuluUser(members))
      #expect(user.firstName == nil && user.lastName == nil && user.email == nil)
      #expect(user.displayName == "ann")
    }
  }

  @Test("Newzulu-N2: what is there is mapped")
  func mapped() throws {
    let user = try #require(
      NewzuluUser([
        "id": 217_842_376, "user": "ann", "firstname": "Ann", "lastname": "Avery", "email": "ann@example.com",
        "sessiontoken": "secret", "meta": ["a": 1],
      ]))
    #expect(user.id == "217842376" && user.username == "ann")
    #expect(user.firstName == "Ann" && user.lastName == "Avery" && user.email == "ann@example.com")
    #expect(user.displayName == "Ann Avery")
    #expect(user.attributes["meta"] == ["a": 1])
    #expect(user.attributes["sessiontoken"] == nil)
  }

  @Test(
    "A user without an identifier or a username is none",
    arguments: [
      [:], ["id": "1"], ["user": "ann"], ["id": "", "user": "ann"], ["id": .null, "user": "ann"],
      ["id": "1", "user": ""], ["id": ["1"], "user": "ann"], ["id": 1.5, "user": "ann"], ["id": true, "user": "ann"],
    ] as [[String: JSONValue]])
  func none(_ members: [String: JSONValue]) {
    #expect(NewzuluUser(members) == nil)
  }
}
