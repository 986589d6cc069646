internal import Foundation
internal import OstiaryCore

// When something is over. The server's clock is the measure: its `Date` says how far it is ahead of this device's.
//
// - A duration counts from the moment at which the request was sent, which is never too late.
// - A date, and the `exp` of a JWT, are on the server's clock, and are moved to this device's.
// - Zero, a negative duration and a date that has passed are what servers say that don't know, or whose unit is another: they count as
//   none. A proof that was just given is not over; a renewal at once would be followed by the next.
// - More than ten years, up to the year 9999 and beyond, means that it does not expire: that counts as none, too.
extension DialectAnswer {
  /// The lifetimes that are believed, in seconds: one second to ten years.
  static let lifetimes = 1.0...315_576_000.0

  /// The first of several expiries that is there.
  /// - Returns: the date by this device's clock, and where it was; `nil` where there is none that can be one.
  func date(
    _ expiries: [DialectExpiry], _ name: String, _ values: DialectValues
  ) -> (date: Date, found: DialectFound)? {
    for (index, expiry) in expiries.enumerated() {
      guard let (date, value, words) = self.date(expiry, name, values) else { continue }
      guard Self.lifetimes.contains(date.timeIntervalSince(sentAt)) else { continue }
      let found = DialectFound(
        name: name, value: value, site: site.place, index: expiries.count > 1 ? index : nil, placeInAnswer: words)
      return (date, found)
    }
    return nil
  }

  /// How long the server asks to wait by an expiry, at most a day.
  package func wait(_ expiries: [DialectExpiry], _ name: String, _ values: DialectValues) -> Duration? {
    date(expiries, name, values).map { min(max(.seconds($0.date.timeIntervalSince(now)), .zero), RetryAfter.maximum) }
  }

  private func date(
    _ expiry: DialectExpiry, _ name: String, _ values: DialectValues
  ) -> (date: Date, value: JSONValue, words: String)? {
    switch expiry {
    case .duration(let reads, let unit):
      guard let found = find(reads, name, values), let number = found.value.numberOrText else { return nil }
      return (sentAt.addingTimeInterval(number * unit.inSeconds), found.value, found.placeInAnswer)
    case .fixed(let number, let unit):
      return (
        sentAt.addingTimeInterval(Double(number) * unit.inSeconds), .integer(Int64(number)), "a number of the document"
      )
    case .date(let reads, let form):
      guard let found = find(reads, name, values), let date = DialectDate.parse(found.value, form, now: now) else {
        return nil
      }
      return (date.addingTimeInterval(-clockSkew), found.value, found.placeInAnswer)
    case .claim(let name):
      guard let claim = values[name].flatMap(UnverifiedClaims.claims)?["exp"], let number = claim.numberOrText,
        let date = DialectDate.date(secondsSince1970: number)
      else { return nil }
      return (date.addingTimeInterval(-clockSkew), claim, "“/exp” of the claims of \(name)")
    }
  }
}

extension DialectExpiry.Unit {
  var inSeconds: Double {
    switch self {
    case .seconds: 1
    case .milliseconds: 0.001
    }
  }
}
