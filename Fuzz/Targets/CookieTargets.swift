import Foundation
import HTTPTypes
import OstiaryCore

extension FuzzTarget {
  private static let requests = ["https://example.org/", "http://a.b.example.co.uk/x/y", "https://[::1]:8443/a"]
    .compactMap { URL(string: $0) }.compactMap { try? HTTPRequest(.get, to: $0) }
  private static let now = Date(timeIntervalSinceReferenceDate: 821_692_800.123_456_7)

  /// Each line is a `Set-Cookie` field of one response.
  static let setCookie = FuzzTarget(name: "set-cookie") { bytes in
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 63).map { String(decoding: $0, as: UTF8.self) }
    for request in requests {
      var jar = CookieJar()
      for line in lines { _ = jar.store(line, from: request, now: now) }
      try require(jar.count <= lines.count, "a field makes one cookie at most")
      if let header = jar.header(for: request, now: now) {
        try require(HTTPField.isValidValue(header), "what is sent is a valid field value")
        try require(!header.utf8.contains { $0 == 10 || $0 == 13 || $0 == 0 }, "what is sent is one line")
      }
      let copy = try JSONDecoder().decode(CookieJar.self, from: JSONEncoder().encode(jar))
      try require(copy == jar, "a jar comes back from a store as it was")
    }
  }

  /// The JSON of a jar, as a store might return it.
  static let storedJar = FuzzTarget(name: "stored-jar") { bytes in
    guard let jar = try? JSONDecoder().decode(CookieJar.self, from: Data(bytes)) else { return }
    for request in requests {
      guard let header = jar.header(for: request, now: now) else { continue }
      try require(!header.utf8.contains { $0 == 10 || $0 == 13 || $0 == 0 }, "what is sent is one line")
    }
  }
}
