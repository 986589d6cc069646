import Foundation

/// Times as the vendor writes them.
enum SalesforceTime {
  /// `2026-11-21T07:00:00.000+0000`, as in records.
  static func record(_ date: Date) -> String {
    let text = date.formatted(
      .iso8601.year().month().day().dateSeparator(.dash).dateTimeSeparator(.standard)
        .time(includingFractionalSeconds: true).timeSeparator(.colon))
    return text + "+0000"
  }

  /// `2026-11-21T07:00:00+0000`, as in identity documents.
  static func identity(_ date: Date) -> String {
    date.formatted(
      .iso8601.year().month().day().dateSeparator(.dash).dateTimeSeparator(.standard)
        .time(includingFractionalSeconds: false).timeSeparator(.colon)) + "+0000"
  }

  /// The time in a text: a day, or a time with `Z` or an offset, with or without fractions of a second.
  static func date(_ text: String) -> Date? {
    guard let start = text.utf8.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(start), text.utf8.count <= 40
    else { return nil }
    if text.utf8.count == 10 { return try? Date(text + "T00:00:00Z", strategy: .iso8601) }
    // `+0000`: some clients write no colon there.
    var normal = text
    if let sign = text.lastIndex(where: { $0 == "+" || $0 == "-" }), text.distance(from: sign, to: text.endIndex) == 5 {
      normal.insert(":", at: normal.index(sign, offsetBy: 3))
    }
    return (try? Date(normal, strategy: .iso8601))
      ?? (try? Date(normal, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
  }
}
