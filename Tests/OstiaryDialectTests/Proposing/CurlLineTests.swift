import Foundation
import OstiaryCore
import Testing

@testable import OstiaryDialect

@Suite("Lines of curl", .timeLimit(.minutes(5)))
struct CurlLineTests {
  private func problem(_ line: String) -> CaptureProblem? {
    do {
      _ = try CurlLine.call(line)
      return nil
    } catch {
      return error
    }
  }

  @Test("DIALECT-N01: words are split as a POSIX shell does it, without an expansion")
  func words() throws {
    #expect(try ShellWords.split(#"a 'b c' "d \"e\" \x" f\ g"#) == ["a", "b c", #"d "e" \x"#, "f g"])
    #expect(try ShellWords.split("a \\\n  b\\\r\n c\n\n") == ["a", "b", "c"])
    #expect(try ShellWords.split(#"$'a\'b\n\x41\u00e9\ud83d\ude00\101' '' x"y"'z'"#) == ["a'b\nAé😀A", "", "xyz"])
    #expect(try ShellWords.split("$ curl 5$ a$%") == ["$", "curl", "5$", "a$%"])
    #expect(try ShellWords.split("") == [])
  }

  @Test(
    "DIALECT-N02: what only a shell knows is a problem, and so is more than one command",
    arguments: [
      ("curl $HOST", CaptureProblem.expansion), (#"curl "${A}""#, .expansion), ("curl `pass`", .expansion),
      (#"curl "$(pass)""#, .expansion), ("curl a | jq", .notOneCommand), ("curl a; rm -r b", .notOneCommand),
      ("curl a & curl b", .notOneCommand), ("curl a > b", .notOneCommand), ("curl a\ncurl b", .notOneCommand),
      ("curl 'a", .openQuote), (#"curl "a"#, .openQuote), (#"curl $'a\'"#, .openQuote), ("wget a", .notCurl),
      ("", .notCurl), ("curl", .noAddress), ("curl a.example b.example", .severalAddresses),
      ("curl https://user:pw@a.example/", .badAddress), ("curl file:///etc/passwd", .badAddress),
      ("curl a.example -d @secret.json", .readsFile(option: "-d")),
      ("curl a.example --data-urlencode name@file", .readsFile(option: "--data-urlencode")),
      ("curl a.example -b cookies.txt", .readsFile(option: "-b")), ("curl a.example -F a=b", .multipart),
      ("curl a.example -H", .optionWithoutValue("-H")), ("curl a.example -u alice", .optionWithoutValue("-u")),
      ("curl a.example --fancy=planted", .unknownOption("--fancy")), ("curl a.example -Qplanted", .unknownOption("-Q")),
      ("curl a.example -H 'no colon'", .badField), ("curl a.example -X 'A B'", .badMethod),
    ])
  func problems(_ line: String, _ expected: CaptureProblem) {
    #expect(problem(line) == expected, "\(line)")
  }

  @Test("DIALECT-N03: method, address, fields and body are those that curl would send")
  func call() throws {
    let call = try CurlLine.call(
      #"""
      $ curl -sSL 'https://api.example/login?v=1' -H 'X-Api-Key: k1' --header "Accept: application/json" \
        -o /dev/null --max-time 5 --compressed --data-raw '{"user":"ann","password":"p w"}' -H 'Content-Type: application/json'
      """#)
    #expect(call.method == "POST")
    #expect(call.url.absoluteString == "https://api.example/login?v=1")
    #expect(call.fields.map { $0.name } == ["X-Api-Key", "Accept", "Content-Type"])
    #expect(call.json?["password"] == "p w")
    #expect("\(call)" == "POST api.example")

    let form = try CurlLine.call(
      "curl -XPUT localhost:8000/in -d a=1 --data b=2 --data-urlencode 'c=x&y' -uann:secret:2")
    #expect(form.method == "PUT" && form.url.absoluteString == "http://localhost:8000/in")
    #expect(form.form?.map { "\($0.name)=\($0.value)" } == ["a=1", "b=2", "c=x&y"])
    #expect(form.basic?.username == "ann" && form.basic?.password == "secret:2")

    let query = try CurlLine.call("curl -G https://a.example/x -d a=1 -d b=2")
    #expect(query.method == "GET" && query.body == nil && query.url.query() == "a=1&b=2")
    let json = try CurlLine.call(#"curl https://a.example --json '{"a":1}'"#)
    #expect(json.mediaType == "application/json" && json.method == "POST")
    // Without the field that says so, for a server that takes it all the same.
    let bare = try CurlLine.call(#"curl https://a.example -d '{"password":"p w"}'"#)
    #expect(bare.mediaType == "application/json" && bare.json?["password"] == "p w")
  }

  @Test("DIALECT-N04: a line that is too long, or has too many words, is refused")
  func bounds() {
    #expect(problem("curl " + String(repeating: "a", count: ShellWords.maximumBytes)) != nil)
    #expect(problem("curl " + String(repeating: "a ", count: 1025)) == .tooLarge(limit: ShellWords.maximumWords))
    #expect(problem("curl https://a.example/" + String(repeating: "a", count: 9000)) == .badAddress)
  }
}
