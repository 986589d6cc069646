package import Foundation

/// The settings of a JSON file or of a property list, before they are read: members by their names, and what they are from.
///
/// What a server calls things, where it is and how an app signs in there are read by this one reader for every kind of server. A kind
/// has a table of ``Setting``s and a name for its source.
package struct SettingsDocument: Sendable {
  /// What the members are from.
  package let source: SettingsSource
  private let members: JSONValue

  /// The most bytes that a file of settings may have: 1 MiB.
  package static let maximumSize = 1 << 20
  /// How deep objects and lists may be nested.
  static let maximumDepth = 16

  // MARK: JSON

  /// Takes a JSON text (RFC 8259) in UTF-8, with or without a byte-order mark: one object, in which no name is there twice.
  /// - Throws: `OstiaryError` with the source's code. No value is in its message.
  package init(json: Data, from source: SettingsSource) throws {
    guard json.count <= Self.maximumSize else {
      throw source.refusal(
        "is larger than 1 MiB", advice: "Settings are a few lines of JSON: check the file's name.")
    }
    guard !json.starts(with: [0xFF, 0xFE]), !json.starts(with: [0xFE, 0xFF]), !json.prefix(4).contains(0) else {
      throw source.refusal("is not in UTF-8; it looks like UTF-16 or UTF-32", advice: "Save it as UTF-8.")
    }
    if let line = Self.lineThatIsNotUTF8(json) {
      throw source.refusal("is not in UTF-8 in line \(line)", advice: "Save it as UTF-8.")
    }
    var parser = JSONParser(json, maximumDepth: Self.maximumDepth)
    guard let value = parser.parse() else {
      let line = json.prefix(parser.position).count { $0 == UInt8(ascii: "\n") } + 1
      throw parser.isTooDeep
        ? source.refusal(
          "is nested more than \(Self.maximumDepth) deep in line \(line)",
          advice: "Settings have no such depth: check it.")
        : source.refusal("is not JSON in line \(line)", advice: "Check commas, quotation marks and braces.")
    }
    guard value.object != nil else {
      throw source.refusal(
        "holds \(SettingKind(value).rawValue) in place of an object", advice: "Begin with { and end with }.")
    }
    if let repeated = parser.repeated {
      throw source.refusal([
        SettingProblem(repeated.joined(separator: "."), "is there twice", advice: "Take one of the two out.")
      ])
    }
    self.source = source
    members = value
  }

  /// Takes a file with such a text. No more than ``maximumSize`` bytes of it are read.
  /// - Throws: as ``init(json:from:)``; also where the file can't be read.
  package init(contentsOf file: URL, from source: SettingsSource) throws {
    let json: Data
    do {
      let handle = try FileHandle(forReadingFrom: file)
      defer { try? handle.close() }
      json = try handle.read(upToCount: Self.maximumSize + 1) ?? Data()
    } catch {
      throw source.refusal("can't be read", advice: "Check the file's name and permissions.", underlying: error)
    }
    try self.init(json: json, from: source)
  }

  private static func lineThatIsNotUTF8(_ text: Data) -> Int? {
    guard String(data: text, encoding: .utf8) == nil else { return nil }
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return (lines.firstIndex { String(data: $0, encoding: .utf8) == nil } ?? 0) + 1
  }

  // MARK: Property lists

  /// Takes a dictionary of a property list.
  /// - Throws: `OstiaryError` with the source's code, which names a setting that is a date or data.
  package init(propertyList: [String: Any], from source: SettingsSource) throws {
    self.source = source
    do {
      members = try JSONValue(propertyList: propertyList, at: [], depth: Self.maximumDepth)
    } catch let refusal as SettingRefusal {
      throw source.refusal([refusal.problem])
    }
  }

  /// Takes what stands under a key of an Info.plist: a dictionary with the settings, or the name of a JSON file in the bundle.
  /// - Parameters:
  ///   - value: what stands there.
  ///   - source: the source of a name.
  ///   - file: finds a file of the bundle by its name.
  package init(information value: Any, key: String, from source: (String) -> SettingsSource, file: (String) -> URL?)
    throws
  {
    let place = source("\(key) of Info.plist")
    if let name = value as? String {
      guard let url = file(name) else {
        throw source("The app's bundle").refusal(
          "has no file \(SettingText.shown(name)), which \(place.name) names",
          advice: "Add the file to the target's resources, or correct the app's Info.plist.")
      }
      try self.init(contentsOf: url, from: source(url.lastPathComponent))
    } else if let dictionary = value as? [String: Any] {
      try self.init(propertyList: dictionary, from: place)
    } else {
      throw place.refusal(
        "is neither a dictionary nor the name of a file", advice: "Correct the app's Info.plist.")
    }
  }

  // MARK: Reading

  /// Reads the settings of a table. What is left out stays as it is.
  /// - Parameter check: finds settings that can't hold at once.
  /// - Throws: `OstiaryError` with the source's code, which names every setting that does not fit. `root` is not to be used then.
  package func read<Root>(
    _ table: [Setting<Root>], into root: inout Root, check: (Root) -> [SettingProblem] = { _ in [] }
  ) throws {
    var problems = Setting.read(members, into: &root, table)
    if problems.isEmpty { problems = check(root) }
    guard problems.isEmpty else { throw source.refusal(problems) }
  }
}
