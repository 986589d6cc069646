internal import Foundation
internal import HTTPTypes
internal import OstiaryCore

/// For how long a server's document counts as fresh, and as good at all.
enum DocumentLifetime {
  /// Also where the server wants it to be asked each time: a document is asked for at every sign-in.
  static let least: TimeInterval = 300
  /// Also where the server says a year: an address or a key that was withdrawn must not live on.
  static let most: TimeInterval = 86_400
  /// Where the server does not say.
  static let usual: TimeInterval = 3600
  /// How long the last good document is used while a newer one can't be had.
  static let kept: TimeInterval = 7 * 86_400
  /// How long nothing is asked after an attempt that failed, while there is a document.
  static let pause: TimeInterval = 30

  /// What an answer says of its freshness, within the bounds: `max-age` less the `Age` that it has already, `Expires`
  /// where there is none (RFC 9111 §4.2.1).
  /// - Parameter now: when it arrived, by this device's clock.
  static func of(_ response: HTTPResponse, at now: Date) -> TimeInterval {
    min(max(said(by: response, at: now) ?? usual, least), most)
  }

  private static func said(by response: HTTPResponse, at now: Date) -> TimeInterval? {
    let directives = response.headerFields[values: .cacheControl].joined(separator: ",").split(separator: ",")
      .map { ASCII.lowercased(ASCII.trimmed(Array($0.utf8))) }
    if directives.contains("no-store") || directives.contains("no-cache") { return 0 }
    if let directive = directives.first(where: { $0.hasPrefix("max-age=") }) {
      let age = response.headerFields[.age].flatMap { seconds(Substring($0)) } ?? 0
      return seconds(directive.dropFirst(8)).map { $0 - age }
    }
    guard let expires = response.headerFields[.expires] else { return nil }
    // A text that is no date means "already expired" (RFC 9111 §5.3).
    guard let end = HTTPDate.parse(expires, now: now) else { return 0 }
    return end.timeIntervalSince(now.addingTimeInterval(response.clockSkew(at: now) ?? 0))
  }

  /// A number of seconds, quoted or not; no larger than can be told apart.
  private static func seconds(_ text: Substring) -> TimeInterval? {
    let digits = text.utf8.filter { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: " ") }
    guard !digits.isEmpty, digits.allSatisfy(ASCII.isDigit) else { return nil }
    return digits.reduce(0) { min($0 * 10 + TimeInterval($1 &- 48), 1e9) }
  }
}
