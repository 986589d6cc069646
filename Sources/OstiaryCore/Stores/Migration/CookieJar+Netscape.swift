public import Foundation

extension CookieJar {
  /// Reads a cookie file in Netscape's format, as curl, wget, yt-dlp and browsers' exports write it: a cookie a line, in
  /// seven fields between tabs: domain, whether hosts below it get it, path, whether it is secure, when it ends in
  /// seconds since 1970 (0: with the session), name, value. `#HttpOnly_` before a line marks it; other lines that begin
  /// with `#` are remarks.
  ///
  /// Cookies that have expired are left out. The file is not changed.
  /// - Throws: ``OstiaryError`` `invalidInput` with the number of the line that is no cookie, or when there are more
  ///   cookies than a jar holds. Values stay out of the error.
  public init(netscapeFile data: Data, now: Date) throws {
    self.init()
    guard let text = String(validating: data, as: UTF8.self) else { throw Self.notImported("it is not text") }
    for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      var line = line
      let isHTTPOnly = line.hasPrefix("#HttpOnly_")
      if isHTTPOnly { line = line.dropFirst("#HttpOnly_".count) }
      if line.hasPrefix("#") || line.allSatisfy(\.isWhitespace) { continue }
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count == 7, let goesBelow = Self.flag(fields[1]), let isSecure = Self.flag(fields[3]),
        let seconds = Double(fields[4]), abs(seconds) < 1e12,
        let cookie = try? Cookie(
          name: fields[5], value: Secret(fields[6]), domain: fields[0], isHostOnly: !goesBelow, path: fields[2],
          expiresAt: seconds == 0 ? nil : Date(timeIntervalSince1970: seconds), isSecure: isSecure,
          isHTTPOnly: isHTTPOnly, createdAt: now)
      else { throw Self.notImported("line \(number + 1) is not a cookie") }
      if cookie.isExpired(at: now) { continue }
      switch place(cookie, now: now) {
      case .ignored: throw Self.notImported("the cookie in line \(number + 1) may not be kept")
      default: break
      }
      guard count <= Self.maximumCount else { throw Self.notImported("there are too many cookies in it") }
    }
  }

  private static func flag(_ text: String) -> Bool? {
    switch text.uppercased() {
    case "TRUE": true
    case "FALSE": false
    default: nil
    }
  }

  private static func notImported(_ reason: String) -> OstiaryError {
    OstiaryError(
      .invalidInput, "The cookie file can't be imported: \(reason).",
      advice: "Export it anew in Netscape's format (curl's cookie jar).")
  }
}
