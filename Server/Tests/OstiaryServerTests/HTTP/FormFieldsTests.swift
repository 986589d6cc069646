import Testing

@testable import OstiaryServer

@Suite("Form fields")
struct FormFieldsTests {
  private func read(_ text: String) -> [String]? {
    FormFields(encoded: text.utf8)?.all.map { "\($0.name)|\($0.value)" }
  }

  @Test(
    "Names and values are decoded",
    arguments: [
      ("", []), ("&&", []), ("a=b", ["a|b"]), ("a", ["a|"]), ("a=", ["a|"]), ("=b", ["|b"]),
      ("a=b&a=c", ["a|b", "a|c"]), ("a+b=c+d", ["a b|c d"]), ("a%20b=%2B%26%3D%25", ["a b|+&=%"]),
      ("a=b=c", ["a|b=c"]), ("pyActivity%3DCode-Security.Login=", ["pyActivity=Code-Security.Login|"]),
      ("p=%C3%A9%e6%97%a5", ["p|é日"]), ("a=%00", ["a|\0"]),
    ])
  func decoding(text: String, expected: [String]) {
    #expect(read(text) == expected)
  }

  @Test(
    "What is broken is refused, not guessed", arguments: ["%", "a=%", "a=%4", "a=%zz", "a=%FF", "%C3=x", "a=%C3%28"])
  func broken(text: String) {
    #expect(read(text) == nil)
  }

  @Test("More than 200 fields are refused")
  func tooMany() {
    #expect(read(Array(repeating: "a=b", count: 200).joined(separator: "&"))?.count == 200)
    #expect(read(Array(repeating: "a=b", count: 201).joined(separator: "&")) == nil)
  }
}
