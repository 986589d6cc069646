import Foundation
import HTTPTypes
@testable import OstiaryCore
import Testing

@Suite("The http-state corpus")
struct CookieCorpusTests {
  struct Case: Decodable {
    let test: String
    let received: [String]
    let sent: [Pair]
    let sentTo: String?

    struct Pair: Decodable {
      let name: String
      let value: String
    }

    enum CodingKeys: String, CodingKey {
      case test, received, sent
      case sentTo = "sent-to"
    }
  }

  private static let nameless = "RFC 6265bis §5.6: a field without '=' or with nothing before it is a nameless cookie"

  /// Where RFC 6265bis asks for something else than the RFC the corpus was written for: the field it asks for, `nil`
  /// for none.
  static let newer: [String: (header: String?, reason: String)] = [
    "0004": ("foo", nameless),
    "0021": ("a=b; x; c=d", nameless),
    "0023": ("foo", nameless),
    "0024": ("foo", nameless),
    "0025": ("foo", nameless),
    "0026": ("foo", nameless),
    "0027": ("bar", nameless),
    "0028": ("foo", nameless),
    "CHROMIUM0009": ("BLAHHH", nameless),
    "CHROMIUM0010": ("\"BLA\\\"HHH\"", nameless),
    "CHROMIUM0012": ("ABC", nameless),
    "MOZILLA0012": ("test=\"fubar! = foo; five", nameless),
    "MOZILLA0014": ("six", nameless),
    "MOZILLA0015": ("seven", nameless),
    "MOZILLA0016": ("eight", nameless),
    "MOZILLA0017": ("eight; test=six", nameless),
    "NAME0017": ("a=bar", nameless),
    "NAME0023": ("foo", nameless),
    "NAME0025": ("==a=bar", nameless),
    "NAME0028": ("a", nameless),
    "NAME0031": ("\"foo", nameless),
    "NAME0032": ("\"foo\\\"bar", nameless),
    "NAME0033": ("aaa", nameless),
  ]

  @Test("Every case that is neither disabled nor optional has the outcome that RFC 6265bis gives it")
  func corpus() throws {
    guard let data = SharedVectors.read("cookies/http-state-parser.json") else { return }
    // The corpus was written in 2010 and has cookies that live until 2027.
    let now = Date(timeIntervalSince1970: 1_300_000_000)
    let cases = try JSONDecoder().decode([Case].self, from: data)
      .filter { !$0.test.hasPrefix("DISABLED_") && !$0.test.hasPrefix("OPTIONAL_") }
    var failures: [String] = []
    var used: Set<String> = []
    for item in cases {
      let id = item.test.lowercased()
      let base = "http://home.example.org:8888"
      let from = try cookieRequest("\(base)/cookie-parser?\(id)")
      let target = item.sentTo ?? "/cookie-parser-result?\(id)"
      let to = try cookieRequest(target.hasPrefix("/") ? base + target : target)
      var jar = CookieJar()
      for field in item.received { jar.store(field, from: from, now: now) }
      let pairs = item.sent.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
      var expected = item.sent.isEmpty ? nil : pairs
      if let newer = Self.newer[item.test] {
        expected = newer.header
        used.insert(item.test)
      }
      let header = jar.header(for: to, now: now)
      let isRight = header.map { Array($0.utf8) } == expected.map { Array($0.utf8) }
      if !isRight { failures.append("\(item.test): got \(header ?? "nothing"), expected \(expected ?? "nothing")") }
    }
    print("cookie corpus: \(cases.count - failures.count)/\(cases.count)")
    #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    #expect(cases.count > 200)
    #expect(used == Set(Self.newer.keys), "Each exception names a case of the corpus.")
  }

  struct DateCase: Decodable {
    let test: String
    let expected: String?
  }

  @Test("Every cookie date", arguments: ["http-state-dates", "http-state-dates-bsd"])
  func dates(file: String) throws {
    guard let data = SharedVectors.read("cookies/\(file).json") else { return }
    let cases = try JSONDecoder().decode([DateCase].self, from: data)
    var failures: [String] = []
    for item in cases {
      let expected = item.expected.flatMap { HTTPDate.parse($0, now: cookieEpoch) }
      let parsed = CookieDate.parse(Array(item.test.utf8))
      if parsed != expected {
        let text = parsed.map(HTTPDate.format) ?? "none"
        failures.append("\(item.test): got \(text), expected \(item.expected ?? "none")")
      }
    }
    print("cookie dates (\(file)): \(cases.count - failures.count)/\(cases.count)")
    #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    #expect(!cases.isEmpty)
  }
}
