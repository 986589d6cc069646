/// Numbers of bytes for people.
enum ByteCount {
  /// `999 bytes`, `1.2 MB`, `60 MB`, with steps of 1000: two digits at least, in every locale the same.
  static func text(_ count: Int64) -> String {
    guard count >= 1000 else { return "\(max(0, count)) byte\(count == 1 ? "" : "s")" }
    var (value, unit) = (Double(count), 0)
    // What would be rounded to 1000 is one of the next unit.
    while value >= 999.5, unit < units.count - 1 {
      value /= 1000
      unit += 1
    }
    let tenths = Int((value * 10).rounded())
    guard tenths < 100, tenths % 10 != 0 else { return "\(Int(value.rounded())) \(units[unit])" }
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }

  private static let units = ["bytes", "kB", "MB", "GB", "TB", "PB"]
}
