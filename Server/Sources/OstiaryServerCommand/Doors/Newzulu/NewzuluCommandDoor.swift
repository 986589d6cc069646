internal import ArgumentParser
internal import Foundation
internal import OstiaryClientCommand
internal import OstiaryCore
internal import OstiaryPrivateFiles
internal import OstiaryServer

/// The Newzulu door, as the command has it: what `ostiary serve` takes for it, and its chapter.
struct NewzuluCommandDoor: CommandDoor {
  static let chapter: (any DemoChapter)? = NewzuluDemo()

  /// Keys are secrets: the file names a file with them, never themselves.
  static let settings =
    [
      FileSetting("newzulu.tenant", "newzulu-tenant", .texts), FileSetting("newzulu.keys", "newzulu-keys", .file),
      FileSetting("newzulu.maxFile", "newzulu-max-file", .text),
      FileSetting("newzulu.publish", "newzulu-publish", .flag()),
    ] + NewzuluBucketOptions.settings

  @Option(
    name: .customLong("newzulu-tenant"), parsing: .singleValue,
    help: ArgumentHelp(
      "A tenant (vhost) of the Newzulu door; may be given several times. Users without a tenant are the first one's. "
        + "(default: 1, and every tenant that has a user)", valueName: "id"))
  var tenants: [String] = []

  @Option(
    name: .customLong("newzulu-key"), parsing: .singleValue,
    help: ArgumentHelp(
      "An app's API key, 32 hexadecimal digits; may be given several times. (default: one that is made and kept)",
      valueName: "key"))
  var keys: [String] = []

  @Option(
    name: .customLong("newzulu-keys"),
    help: ArgumentHelp(
      "A file with API keys, one a line, each followed by what it is for: tenant=ID, "
        + NewzuluCommandDoor.permissions.map(\.name).joined(separator: ", ") + ". Lines that begin with # are remarks.",
      valueName: "file"), completion: .file())
  var keyFile: String?

  @Option(
    name: .customLong("newzulu-max-file"),
    help: ArgumentHelp("The largest file that may be uploaded: bytes, or 500M, 8G. (default: 8G)", valueName: "size"))
  var largestFile: String?

  @Flag(
    name: .customLong("newzulu-publish"),
    help: "Publish uploads at once, as if an editor had approved them.")
  var publishes = false

  @OptionGroup var bucket: NewzuluBucketOptions

  /// The permissions of a key, by the names that a key file uses.
  private static let permissions: [(name: String, permission: NewzuluKey.Permission)] = [
    ("register-users", .registerUsers), ("read-users", .readUsers), ("see-all-media", .seeAllMedia),
  ]

  func configure(_ server: inout ServerConfiguration, _ environment: CommandEnvironment) throws {
    server.newzulu = try configuration(environment)
  }

  /// The door's configuration from these options.
  /// - Throws: ``OstiaryError`` `invalidInput` for a size or a key file that can't be read.
  func configuration(_ environment: CommandEnvironment) throws -> NewzuluDoorConfiguration {
    var configuration = NewzuluDoorConfiguration()
    if !tenants.isEmpty { configuration.vhosts = tenants }
    configuration.keys =
      try keys.map { NewzuluKey(Secret($0)) }
      + environment.lines(ofFile: keyFile, orSay: DoorOptionMessage.noKeyInFile, Self.key)
    configuration.publishesUploads = publishes
    configuration.bucket = try bucket.bucket(environment)
    if let largestFile { configuration.largestFile = try Self.size(largestFile) }
    return configuration
  }

  /// Reads a line. Errors don't contain its text, because it may be a key.
  private static func key(_ line: Substring, _ place: String) throws -> NewzuluKey? {
    let words = line.split(whereSeparator: \.isWhitespace)
    guard let key = words.first, !key.hasPrefix("#") else { return nil }
    var vhost: String?
    var granted: Set<NewzuluKey.Permission> = []
    for (number, word) in words.enumerated().dropFirst() {
      if let known = permissions.first(where: { $0.name == word }) {
        granted.insert(known.permission)
      } else if word.hasPrefix("tenant="), vhost == nil {
        vhost = String(word.dropFirst("tenant=".count))
      } else {
        throw OstiaryError.usage(
          DoorOptionMessage.badKeyWord(
            place: place, word: number + 1, known: ["tenant=ID"] + permissions.map(\.name)))
      }
    }
    let result = NewzuluKey(Secret(String(key)), vhost: vhost, permissions: granted)
    guard result.isWellFormed else {
      throw OstiaryError.usage(DoorOptionMessage.badKey(place: place))
    }
    return result
  }

  private static func size(_ text: String) throws -> Int {
    let units: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40]
    let unit = text.last.flatMap { units[Character($0.uppercased())] }
    if let number = Int(unit == nil ? text : String(text.dropLast())), number >= 0 {
      let (size, overflows) = number.multipliedReportingOverflow(by: unit ?? 1)
      if !overflows { return size }
    }
    throw OstiaryError.usage(DoorOptionMessage.badSize(text))
  }
}
