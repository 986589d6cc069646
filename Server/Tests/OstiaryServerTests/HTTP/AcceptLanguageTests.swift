import HTTPTypes
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Bug-G21: the languages that a request names", .timeLimit(.minutes(20)))
struct AcceptLanguageTests {
  @Test(
    "Bug-G21: weights order the languages (RFC 9110, section 12.5.4); what is malformed names none",
    arguments: [
      ("de", ["de"]), ("de, fr;q=0.9 , en;q=0.95", ["de", "en", "fr"]), ("fr;q=0.5, de;q=0.5", ["fr", "de"]),
      ("*;q=0.5, uk;Q=0.7", ["uk"]), ("de;q=0, pl", ["pl"]), ("de;q=0.000,en;q=1.000", ["en"]),
      ("de;q=2, en;q=1.5, fr;q=x, pl;q=0.1234, uk;q=", []), ("", []), (",,;q=1,", []),
      ("de;level=1;q=0.2, en;q=0.3", ["en", "de"]),
      (String(repeating: "x", count: 36) + ", en", ["en"]),
    ] as [(String, [String])])
  func order(field: String, languages: [String]) {
    let request = DoorRequest(
      method: .get, path: "/", query: .none, headers: [.acceptLanguage: field], body: [], parameters: [:],
      clientAddress: "192.0.2.1", id: "test")
    #expect(request.languages == languages)
  }

  @Test("Bug-G21: several fields count as one, and only the first twenty languages are read")
  func limits() {
    var headers = HTTPFields()
    headers.append(HTTPField(name: .acceptLanguage, value: "pl;q=0.5"))
    headers.append(HTTPField(name: .acceptLanguage, value: "uk"))
    headers.append(HTTPField(name: .acceptLanguage, value: (0..<500).map { "x\($0);q=0.1" }.joined(separator: ",")))
    let request = DoorRequest(
      method: .get, path: "/", query: .none, headers: headers, body: [], parameters: [:],
      clientAddress: "192.0.2.1", id: "test")
    #expect(request.languages.prefix(2) == ["uk", "pl"] && request.languages.count == 20)
  }
}
