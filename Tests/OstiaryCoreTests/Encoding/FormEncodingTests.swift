import Foundation
import OstiaryCore
import Testing

@Suite("Form encoding")
struct FormEncodingTests {
  @Test(
    "Writes what a browser sends",
    arguments: [
      ("pyActivity=Code-Security.Login", "", "pyActivity%3DCode-Security.Login="),
      (
        "Password", "% + & = : é 日本 space\nnewline",
        "Password=%25+%2B+%26+%3D+%3A+%C3%A9+%E6%97%A5%E6%9C%AC+space%0Anewline"
      ),
      ("a-._*~!'()", "\u{0}\u{7F}", "a-._*%7E%21%27%28%29=%00%7F"), ("", "", "="),
    ])
  func serialize(name: String, value: String, text: String) throws {
    #expect(FormEncoding.serialize([(name, value)]) == text)
    let pair = try #require(FormEncoding.parse(text).first)
    #expect(pair.name == name && pair.value == value)
  }

  @Test("Order and repetition are kept")
  func order() {
    let pairs = [("b", "1"), ("a", "2"), ("b", "3")]
    #expect(FormEncoding.serialize(pairs.map { (name: $0.0, value: $0.1) }) == "b=1&a=2&b=3")
    #expect(FormEncoding.parse("b=1&a=2&b=3").map(\.value) == ["1", "2", "3"])
    #expect(FormEncoding.serialize([]) == "")
  }

  @Test(
    "Nothing is malformed",
    arguments: [
      ("", ""), ("&&", ""), ("a", "a→"), ("a=b=c", "a→b=c"), ("=b", "→b"), ("%", "%→"), ("%4", "%4→"),
      ("%zz=%e2%82%ac", "%zz→€"),
      ("a+b=%2B", "a b→+"), ("%FF", "\u{FFFD}→"), ("&a=1&", "a→1"),
    ])
  func tolerant(text: String, expected: String) {
    #expect(FormEncoding.parse(text).map { "\($0.name)→\($0.value)" }.joined(separator: " ") == expected)
  }

  @Test("The URL standard's own cases")
  func vectors() throws {
    struct Case: Decodable {
      let input: String
      let output: [[String]]
    }
    guard let data = SharedVectors.read("url/wpt-urlencoded-parser-data.json") else { return }
    let cases = try JSONDecoder().decode([Case].self, from: data)
    for item in cases {
      let pairs = FormEncoding.parse(item.input).map { [Array($0.name.utf8), Array($0.value.utf8)] }
      #expect(pairs == item.output.map { $0.map { Array($0.utf8) } }, "\(item.input)")
    }
    print("form encoding cases: \(cases.count)")
    #expect(!cases.isEmpty)
  }
}

@Suite("Percent-encoding (RFC 3986)")
struct PercentEncodingTests {
  @Test(
    "Exact to the byte, and back",
    arguments: [
      ("emV1cw==", "emV1cw%3D%3D"), ("a+b/c=", "a%2Bb%2Fc%3D"), ("azAZ09-._~", "azAZ09-._~"), (" ", "%20"),
      ("é日", "%C3%A9%E6%97%A5"),
      ("!*'();:@&=+$,/?#[]%", "%21%2A%27%28%29%3B%3A%40%26%3D%2B%24%2C%2F%3F%23%5B%5D%25"), ("", ""), ("\u{0}", "%00"),
    ])
  func encode(text: String, encoded: String) {
    #expect(PercentEncoding.encode(text) == encoded)
    #expect(PercentEncoding.decode(encoded) == text)
  }

  @Test("Decoding takes small digits and leaves the plus", arguments: [("%c3%a9", "é"), ("a+b", "a+b"), ("日", "日")])
  func decode(text: String, decoded: String) {
    #expect(PercentEncoding.decode(text) == decoded)
  }

  @Test(
    "Decoding refuses what is no escape or no UTF-8",
    arguments: ["%", "%4", "a%zz", "%FF", "%C3", "%ED%A0%80", "%+1", "%٤١"])
  func malformed(text: String) {
    #expect(PercentEncoding.decode(text) == nil)
  }
}

@Suite("Basic credentials (RFC 7617)")
struct BasicCredentialsTests {
  @Test(
    "UTF-8 in base64",
    arguments: [
      ("Aladdin", "open sesame", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="), ("test", "123£", "Basic dGVzdDoxMjPCow=="),
      ("", "", "Basic Og=="),
      ("u", "a:b", "Basic dTphOmI="), ("日本", "% + & =", "Basic 5pel5pysOiUgKyAmID0="),
    ])
  func authorization(username: String, password: String, field: String) throws {
    #expect(try BasicCredentials.authorization(username: username, password: Secret(password)).reveal() == field)
  }

  @Test(
    "Invariant 12: what cannot be sent is refused without showing the password",
    arguments: [("a:b", "hunter2"), ("a\n", "hunter2"), ("a", "hunter2\r\n"), ("a", "hunter2\u{85}")])
  func refused(username: String, password: String) {
    do {
      _ = try BasicCredentials.authorization(username: username, password: Secret(password))
      Issue.record("It was accepted.")
    } catch {
      #expect((error as? OstiaryError)?.code == .invalidInput)
      #expect(!"\(error)\(String(reflecting: error))".contains("hunter2"))
    }
  }
}
