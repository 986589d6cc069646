import Foundation
import OstiaryCore
import OstiaryDialect
import Testing

@Suite("Places in an answer")
struct PointerTests {
  /// The document of RFC 6901 §5.
  static let example = JSONValue(
    json: Data(
      #"{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8}"#.utf8))

  @Test(
    "The examples of RFC 6901 §5",
    arguments: [
      ("/foo/0", "bar"), ("/", "0"), ("/a~1b", "1"), ("/c%d", "2"), ("/e^f", "3"), ("/g|h", "4"), (#"/i\j"#, "5"),
      (#"/k"l"#, "6"), ("/ ", "7"), ("/m~0n", "8"),
    ])
  func examples(_ pointer: String, _ value: String) throws {
    #expect(try #require(Self.example).value(at: DialectPointer(pointer))?.scalarText == value)
  }

  @Test("The empty pointer is the whole")
  func whole() throws { #expect(try #require(Self.example).value(at: "") == Self.example) }

  @Test(
    "A place that is not there is none",
    arguments: [
      "/foo/2", "/foo/-", "/foo/00", "/foo/01", "/foo/+1", "/foo/-1", "/foo/1e0", "/foo/99999999999999999999",
      "/foo/0/x",
      "/nothing", "/foo/bar", "foo", "/m~2n", "/a/b", "//",
    ])
  func absent(_ pointer: String) throws {
    #expect(try #require(Self.example).value(at: DialectPointer(pointer)) == nil)
  }

  @Test("A name is a name by its bytes, and of two members of one name the first counts")
  func names() throws {
    // é composed, and as e with an accent.
    let value = try #require(JSONValue(json: Data("{\"\u{E9}\":1,\"a\":2,\"a\":3}".utf8)))
    #expect(value.value(at: "/\u{E9}") == 1)
    #expect(value.value(at: "/e\u{301}") == nil)
    #expect(value.value(at: "/a") == 2)
  }

  @Test("A number is a text without a fraction, and what is no scalar is none")
  func scalars() {
    #expect(JSONValue.integer(11).scalarText == "11")
    #expect(JSONValue.number(11).scalarText == "11")
    #expect(JSONValue.number(1.5).scalarText == "1.5")
    for value in [JSONValue.null, true, .array([]), .object([:])] { #expect(value.scalarText == nil) }
  }

  @Test("A text is a number only where it is one", arguments: ["", "x", "0x10", "nan", "inf", "1e999", "1 2", "١"])
  func noNumber(_ text: String) { #expect(JSONValue.string(text).numberOrText == nil) }

  @Test("Numbers may be texts", arguments: [("3600", 3600.0), (" 1.5 ", 1.5), ("-3", -3), ("1e3", 1000)])
  func numbers(_ text: String, _ number: Double) { #expect(JSONValue.string(text).numberOrText == number) }
}
