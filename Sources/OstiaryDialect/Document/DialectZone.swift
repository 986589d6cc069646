internal import OstiaryCore

/// A time zone of a date that names none: `+02:00`, `-03:30`, `Z`.
enum DialectZone {
  /// What stands for a zone that can't be read, so that the check finds it.
  static let unreadable = Int.max
  /// The zones that exist, with room to spare.
  static let range = -1080...1080

  /// How many minutes it is ahead of UTC.
  static func minutes(_ text: String) -> Int? {
    let bytes = Array(text.utf8)
    if bytes == [UInt8(ascii: "Z")] { return 0 }
    guard bytes.count == 6, bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"),
      bytes[3] == UInt8(ascii: ":"), [1, 2, 4, 5].allSatisfy({ ASCII.isDigit(bytes[$0]) })
    else { return nil }
    let digits = [1, 2, 4, 5].map { Int(bytes[$0] &- 48) }
    let hours = digits[0] * 10 + digits[1]
    let minutes = digits[2] * 10 + digits[3]
    guard minutes < 60, hours <= 18 else { return nil }
    let total = hours * 60 + minutes
    guard range.contains(total) else { return nil }
    return bytes[0] == UInt8(ascii: "-") ? -total : total
  }

  /// The zone as a text.
  static func text(_ minutes: Int) -> String {
    let clamped = min(max(minutes, range.lowerBound), range.upperBound)
    let total = clamped.magnitude
    let padded = [total / 60, total % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return (clamped < 0 ? "-" : "+") + padded.joined(separator: ":")
  }
}
