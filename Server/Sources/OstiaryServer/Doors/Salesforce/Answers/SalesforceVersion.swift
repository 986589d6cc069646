import OstiaryCore

/// A version of the interface to the org's data.
struct SalesforceVersion: Sendable {
  let number: Int

  /// All versions. The door treats them alike.
  static let all = (20...66).map(SalesforceVersion.init(number:))

  private init(number: Int) { self.number = number }

  /// Reads `v59.0`.
  /// - Throws: `SalesforceDataFailure` `NOT_FOUND`.
  init(path: String?) throws {
    guard let path, path.hasPrefix("v"), path.hasSuffix(".0"), let number = Int(path.dropFirst().dropLast(2)),
      let version = Self.all.first(where: { $0.number == number }), version.path == path
    else { throw SalesforceDataFailure.notFound }
    self = version
  }

  /// `v59.0`
  var path: String { "v\(number).0" }

  /// Its entry in the list of versions. There are three a year, named after the season.
  var entry: JSONValue {
    let (year, season) = (11 + (number - 20) / 3, ["Winter", "Spring", "Summer"][(number - 20) % 3])
    return .object([
      "label": .string("\(season) '\(year)"), "url": .string("/services/data/\(path)"),
      "version": .string("\(number).0"),
    ])
  }
}
