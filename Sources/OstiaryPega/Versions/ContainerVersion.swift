internal import Foundation
internal import OstiaryCore

/// The client versions that a server works with, both ends included.
///
/// An end that is missing, or that is no version, bounds nothing: a server's odd text is no word about this client.
struct ContainerVersionRange: Sendable, Hashable {
  let lower: ContainerVersion?
  let upper: ContainerVersion?

  /// Reads the range out of a login activity's response.
  init(_ response: [String: JSONValue], keys: PegaConfiguration.ResponseKeys) {
    lower = Self.version(response[keys.minimumContainerVersion])
    upper = Self.version(response[keys.maximumContainerVersion])
  }

  /// Whether a client of this version may go on. A version that isn't one is never refused.
  func allows(_ version: String) -> Bool {
    guard let version = ContainerVersion(version) else { return true }
    if let lower, version < lower { return false }
    if let upper, upper < version { return false }
    return true
  }

  private static func version(_ value: JSONValue?) -> ContainerVersion? {
    switch value {
    case .string(let text): ContainerVersion(text)
    case .integer(let number): ContainerVersion(String(number))
    // 8.1 and 8.10 are one number and two versions: see `withVersionsAsTexts`.
    default: nil
    }
  }

  /// A response whose versions are texts as the server has written them, also where it has written them as numbers.
  static func withVersionsAsTexts(
    _ response: [String: JSONValue], in json: Data, keys: PegaConfiguration.ResponseKeys
  ) -> [String: JSONValue] {
    var response = response
    for name in [keys.minimumContainerVersion, keys.maximumContainerVersion] {
      guard case .number(let number)? = response[name] else { continue }
      response[name] = writtenNumber(named: name, worth: number, in: json).map { .string($0) }
    }
    return response
  }

  /// How a number is written behind a member's name; `nil` when it is not found, or is written in several ways.
  private static func writtenNumber(named name: String, worth number: Double, in json: Data) -> String? {
    let text = String(decoding: json, as: UTF8.self)
    var found: Set<Substring> = []
    var rest = text[...]
    while let range = rest.range(of: "\"\(name)\"") {
      rest = rest[range.upperBound...]
      let value = rest.drop { $0.isWhitespace }
      guard value.first == ":" else { continue }
      let written = value.dropFirst().drop { $0.isWhitespace }.prefix { "0123456789.+-eE".contains($0) }
      if Double(written) == number { found.insert(written) }
    }
    return found.count == 1 ? found.first.map(String.init) : nil
  }
}

/// A version of the client, as numbers between dots: 7.10 is later than 7.9.
struct ContainerVersion: Sendable, Hashable, Comparable {
  private let numbers: [UInt64]

  /// Reads a version; `nil` for anything but numbers between dots.
  init?(_ text: String) {
    let parts = text.trimmingCharacters(in: .whitespaces).split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 8 else { return nil }
    var numbers: [UInt64] = []
    for part in parts {
      guard part.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let number = UInt64(part)
      else { return nil }
      numbers.append(number)
    }
    // 7 and 7.0 are the same version.
    while numbers.last == 0 { numbers.removeLast() }
    self.numbers = numbers
  }

  static func < (lhs: ContainerVersion, rhs: ContainerVersion) -> Bool {
    lhs.numbers.lexicographicallyPrecedes(rhs.numbers)
  }
}
