import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryGateway
import OstiaryHTML

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Times what gateways cost every response, and how the readers of hostile input take more of it.
struct GatewayBenchmark {
  private static let rounds = 30

  /// Prints both tables.
  static func run() throws {
    try everyResponse()
    print("")
    growth()
  }

  // MARK: Every response

  /// What each response of the app's is looked at for, and how fast a login page is read.
  private static func everyResponse() throws {
    guard let server = URL(string: "https://api.example/v1") else { return }
    let authenticator = try GatewayAuthenticator(
      server: server, handlers: [try FormLogin("gateway", at: server, sign: .action("/pkmslogin.form"))])
    var request = TransportRequest(HTTPRequest(method: .get, scheme: "https", authority: "api.example", path: "/v1/a"))
    request.head.headerFields[.accept] = "application/json"
    let json = response("application/json; charset=utf-8", repeating: #"{"id":123456,"text":"<form> j_password"},"#)
    let page = response("text/html; charset=utf-8", repeating: prose, around: form)
    let body = page.body
    let operations: [Operation] = [
      Operation(name: "field", title: "raw: read a field of the response", batch: 5_000) { count in
        for _ in 0..<count { keep(json.head.headerFields[.contentType]) }
      },
      Operation(name: "scan", title: "raw: look for a byte in 64 KiB that isn't there", batch: 200) { count in
        // Another one each time, or the optimiser looks once.
        for number in 0..<count { keep(find(UInt8(truncatingIfNeeded: number & 7), in: json.body)) }
      },
      Operation(
        name: "judge", title: "judge a JSON response of 64 KiB", batch: 5_000, bar: .atMost(2_000)
      ) { [request] count in
        for _ in 0..<count { keep(authenticator.judge(json, to: request)) }
      },
      Operation(name: "tags", title: "raw: find every < in a login page of 64 KiB", batch: 50) { count in
        for _ in 0..<count { keep(tags(in: body)) }
      },
      Operation(
        name: "page", title: "read the forms of that page (100 MB/s are 655 µs)", batch: 20,
        bar: .atMost(Double(body.count) * 10)
      ) { count in
        for _ in 0..<count { keep(HTMLPage(page).forms.count) }
      },
    ]
    guard authenticator.judge(json, to: request) == .accepted, HTMLPage(page).forms.count == 1 else {
      throw BenchmarkError(message: "What is measured is not what was meant.")
    }
    try Operation.measure(operations, rounds: rounds, "What gateways cost; \(rounds) interleaved rounds", unit: "ns")
  }

  private static let prose = "<p class=\"news\">All is <b>well</b> &amp; <a href='/more?x=1'>there is more</a>.</p>\n"
  private static let form = """
    <form id=login action=/pkmslogin.form method=post><input type=hidden name=token value=abc>
    <input name=username><input type=password name=password><button>Sign in</button></form>
    """

  private static func response(_ type: String, repeating text: String, around middle: String = "") -> TransportResponse
  {
    var head = HTTPResponse(status: .ok)
    for (name, value) in [
      ("Date", "Sat, 21 Nov 2026 10:00:00 GMT"), ("Server", "nginx"), ("Content-Type", type), ("Vary", "Accept"),
      ("Cache-Control", "no-store"), ("Strict-Transport-Security", "max-age=31536000"), ("X-Request-Id", "8f3a"),
      ("Content-Length", "65536"), ("X-Frame-Options", "DENY"),
    ] {
      if let name = HTTPField.Name(name) { head.headerFields.append(HTTPField(name: name, value: value)) }
    }
    let half = String(repeating: text, count: 32_768 / text.utf8.count)
    return TransportResponse(head, body: Data((half + middle + half).utf8))
  }

  private static func find(_ byte: UInt8, in data: Data) -> Int? {
    data.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress, let found = memchr(base, CInt(byte), buffer.count) else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }

  private static func tags(in data: Data) -> Int {
    data.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return 0 }
      var (count, position) = (0, 0)
      while let found = memchr(base + position, CInt(UInt8(ascii: "<")), buffer.count - position) {
        count += 1
        position = UnsafeRawPointer(found) - base + 1
      }
      return count
    }
  }

  // MARK: Growth

  /// One reader or writer of what comes from elsewhere, and a text that is unkind to it.
  private struct Subject: Sendable {
    let name: String
    let pattern: String
    let run: @Sendable (String) -> Void
  }

  private static let subjects: [Subject] = {
    let page: @Sendable (String) -> Void = { text in
      let page = HTMLPage(TransportResponse(HTTPResponse(status: .ok), body: Data(text.utf8)))
      keep(page.forms.count)
      keep(page.text.utf8.count)
    }
    let pages = [
      "<", "<a ", "<!--", "<!-- --", "<form>", "<input name=a form=b>", "<form id=b><input name=a>",
      "<select><option>a", "<select><option selected value=1>a</select>", "<textarea>", "&amp;", "&#x41", "\"",
      "<a b='", "<a b ", "<script>", "</", "<fieldset disabled>", "<template>", "<meta http-equiv=refresh content=",
      " ", "a",
    ].map { Subject(name: "page", pattern: $0, run: page) }
    let challenges = ["Basic a=b, ", "A, ", "\\\"", "\"", "A b/, ", " ", ",", "A a=\"\\"].map { pattern in
      Subject(name: "WWW-Authenticate", pattern: pattern) { text in
        var response = HTTPResponse(status: .unauthorized)
        // One field is read up to 16 KiB; there may be many of them.
        var rest = Substring(text)
        while !rest.isEmpty {
          response.headerFields.append(HTTPField(name: .wwwAuthenticate, value: String(rest.prefix(8_192))))
          rest = rest.dropFirst(8_192)
        }
        keep(response.authenticationChallenges.count)
      }
    }
    let forms = ["a", "é", "&=", "%", " \r\n"].map { pattern in
      Subject(name: "form, written", pattern: pattern) { keep(FormEncoding.serialize([("name", $0)])) }
    }
    let read = ["a=b&", "&", "=", "%", "%41", "+"].map { pattern in
      Subject(name: "form, read", pattern: pattern) { keep(FormEncoding.parse($0).count) }
    }
    return pages + challenges + forms + read
  }()

  private static let sizes = [1 << 10, 1 << 15, 1 << 20, 1 << 26]

  /// Time a byte, from 1 KiB to 64 MiB: an operation that takes longer for each byte of more of them is not linear.
  private static func growth() {
    print("CPU time a byte in ns; linear if 64 MiB take at most four times what 32 KiB or 1 MiB do, a byte")
    var isGood = true
    for subject in subjects {
      let times = sizes.map { size in
        let text = String(repeating: subject.pattern, count: max(1, size / subject.pattern.utf8.count))
        var best = Double.infinity
        let repetitions = max(1, (1 << 16) / size)
        for _ in 0..<(size > 1 << 20 ? 1 : 3) {
          let start = Operation.cpuNanoseconds()
          for _ in 0..<repetitions { subject.run(text) }
          best = min(best, Double(Operation.cpuNanoseconds() - start) / Double(repetitions * text.utf8.count))
        }
        return best
      }
      // Below a tenth of a nanosecond there is nothing but noise.
      let isLinear = times[3] <= 4 * max(times[1], times[2], 0.1) && times[2] <= 4 * max(times[1], 0.1)
      if !isLinear { isGood = false }
      let columns = times.map { Table.number($0) }.map { String(repeating: " ", count: max(1, 9 - $0.count)) + $0 }
      let title = "\(subject.name): \(subject.pattern.debugDescription)"
      print(
        title + String(repeating: " ", count: max(1, 62 - title.count)) + columns.joined()
          + (isLinear ? "" : "  MISSED: not linear"))
    }
    print(isGood ? "met: all are linear from 1 KiB to 64 MiB" : "MISSED: not all are linear")
  }
}
