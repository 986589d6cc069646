import OstiaryCore
import Testing

@Suite("A server's words, fit to be shown")
struct ServerWordsTests {
  private let secret = Secret("s3cret/+ token=with&marks and more of it")

  @Test(
    "Bug-A17: a secret is hidden as it is, encoded, escaped, and by its beginning",
    arguments: [
      "s3cret/+ token=with&marks and more of it", "s3cret%2F%2B%20token%3Dwith%26marks%20and%20more%20of%20it",
      "s3cret%2f%2b+token%3dwith%26marks+and+more+of+it", "s3cret\\/+ token=with&marks and more of it",
      "s3cret/+ token=w", "%733cret/+%20token=wi",
    ])
  func hidden(quoted: String) {
    for limit in [20, 300] {
      let shown = ServerWords.shown("<\(quoted)> rest", hiding: [secret], limit: limit)
      #expect(shown == String("<‹secret›> rest".prefix(limit)))
    }
  }

  @Test("Bug-A17: what is cut off by the limit is hidden before")
  func hiddenFirst() {
    let text = String(repeating: "w", count: 290) + secret.reveal()
    #expect(ServerWords.shown(text, hiding: [secret], limit: 300) == String(repeating: "w", count: 290) + "‹secret›")
  }

  @Test("Words that only resemble a secret stay, and so do secrets of three bytes")
  func kept() {
    #expect(ServerWords.shown("s3cret/+ token is bad", hiding: [secret, "bad"], limit: 300) == "s3cret/+ token is bad")
    #expect(ServerWords.shown("100% a%2", hiding: [secret], limit: 300) == "100% a%2")
  }

  @Test("Control characters become spaces, and a long text costs no more than is shown")
  func printable() {
    #expect(ServerWords.shown("a\u{1B}[2J\nb", hiding: [], limit: 300) == "a [2J b")
    let long = String(repeating: "s3cret/+ token=", count: 100_000)
    #expect(ServerWords.shown(long, hiding: [secret], limit: 300).unicodeScalars.count == 300)
  }
}
