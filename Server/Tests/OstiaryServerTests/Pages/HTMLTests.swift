import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("HTML")
struct HTMLTests {
  @Test("Interpolated text is escaped for text and double-quoted attributes; markup is not")
  func escaping() {
    let text = "<b a=\"1\" c='2'>&amp;\0é"
    let inner: HTML = "<i>\(text)</i>"
    let outer: HTML = "<p title=\"\(text)\">\(inner)</p>"
    let escaped = "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;\u{FFFD}é"
    #expect(outer.source == "<p title=\"\(escaped)\"><i>\(escaped)</i></p>")
  }

  @Test(
    "A data block can't be ended by what it holds, and reads back as it was",
    arguments: [
      "</script><script>alert(1)</script>", "<!--<script>", "]]>", "&lt;", "\u{2028}\u{2029}", "é日本", "\\u003c", "\"",
    ])
  func dataBlock(text: String) throws {
    let json = String(decoding: try JSONEncoder().encode(["x": text]), as: UTF8.self)
    let block = HTML.data(id: "snapstart", json: json).source
    let start = "<script type=\"application/json\" id=\"snapstart\">"
    #expect(block.hasPrefix(start))
    let inside = block.dropFirst(start.count).dropLast("</script>".count)
    #expect(!inside.contains("<"))
    #expect(!inside.contains("\u{2028}"))
    #expect(try JSONDecoder().decode([String: String].self, from: Data(inside.utf8)) == ["x": text])
  }
}
