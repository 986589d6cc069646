internal import Foundation
internal import OstiaryClientCommand
internal import OstiaryServer

/// What `ostiary key` says.
enum KeyMessage: CommandMessage {
  case made(String)
  case accepted(String)
  case noDatabase(String)
  case needsFile
  /// A server that a change waits for.
  case waits(String, version: String, knows: Bool)
  case stillWaits([String])
  case rotated(file: String?)
  case neverChanged
  case obstacle(KeyRotation.Obstacle)
  case canRetire
  case notRetired
  case retired

  var line: Line {
    switch self {
    case .made(let path): "\("✓", .green) \(path, .bold) has a new key."
    case .accepted(let path): "\("✓", .green) The database in \(path, .bold) has another key from now on."
    case .noDatabase(let path): "There is no database in \(path)."
    case .needsFile: "The data folder does not have the key, so the new one needs a place."
    case .waits(let id, let version, true): "The change waits for the server \(id, .bold) (version \(version))."
    case .waits(let id, let version, false):
      "The change waits for the server \(id, .bold) (version \(version)), which knows nothing of such changes."
    case .stillWaits(let ids) where ids.isEmpty: "The new key is not used yet: each step takes a few seconds."
    case .stillWaits(let ids): "The new key is not used yet: it waits for \(ids.joined(separator: ", "))."
    case .rotated(nil): "\("✓", .green) The new key is used, and is in the data folder."
    case .rotated(let file?): "\("✓", .green) The new key is used, and is in \(file, .bold)."
    case .neverChanged: "The key was never changed."
    case .obstacle(.noFormerKey): "There is no key to be retired."
    case .obstacle(.notUsed(let nodes)) where nodes.isEmpty: "The new key is not used by every server yet."
    case .obstacle(.notUsed(let nodes)): "The new key is not used by every server yet: \(Self.names(nodes))."
    case .obstacle(.sealing): "What was sealed with the old key is being sealed again."
    case .obstacle(.needed(let until)):
      "What was made with the old key counts until \(Date(timeIntervalSince1970: until).formatted(.iso8601))."
    case .obstacle(.kept(let nodes)): "These servers would start with the old key: \(Self.names(nodes))."
    case .canRetire: "Nothing depends on the old key."
    case .notRetired: "The old key is not retired."
    case .retired: "\("✓", .green) The old key is retired: nothing opens with it any more."
    }
  }

  var advice: String {
    switch self {
    case .made: "Keep a copy where the backups of the database are not."
    case .accepted: "Start the server with this key."
    case .noDatabase: "Name its folder with --data."
    case .needsFile: "Name a file for it with --to FILE."
    case .waits(_, _, false): "Stop it, or start it with this version."
    case .stillWaits(let ids) where ids.isEmpty: "Run the command again: it goes on with what has begun."
    case .stillWaits: "It is used as soon as they have it or have ended; `ostiary key status --server` tells."
    case .rotated(nil):
      """
      The old one is beside it, for back-ups of before. `ostiary key status --server` tells when it can be retired with \
      `ostiary key retire --server`.
      """
    case .rotated(_?):
      """
      Put it in the place of the old one on each server. `ostiary key status --server` tells when that can be retired with \
      `ostiary key retire --server`.
      """
    case .neverChanged: "Change it with `ostiary key rotate --server`."
    case .obstacle(.needed): "With --now it is retired all the same: open pages, codes and flows must be begun again."
    case .obstacle(.kept): "Put the new key in its place: the file, or the credential or variable of their next start."
    case .canRetire: "Retire it with `ostiary key retire --server`."
    case .retired: "Keep a copy of it for as long as you keep back-ups of before."
    default: ""
    }
  }

  private static func names(_ nodes: [KeyRotation.Node]) -> String { nodes.map(\.id).joined(separator: ", ") }

  private static let node = KeyRotation.Node(
    id: "one-h3J9", version: "0.2.0", seenAt: 1_800_000_000, known: 2, used: 2, kept: 1)

  static let examples: [KeyMessage] = [
    .made("ostiary.key"), .accepted("/var/lib/ostiary"), .noDatabase("/var/lib/ostiary"), .needsFile,
    .waits("one-h3J9", version: "0.2.0", knows: true), .waits("one-h3J9", version: "0.1.0", knows: false),
    .stillWaits(["one-h3J9", "two-Zk0a"]), .stillWaits([]), .rotated(file: nil), .rotated(file: "new.key"),
    .neverChanged,
    .obstacle(.noFormerKey), .obstacle(.notUsed([])), .obstacle(.notUsed([node])), .obstacle(.sealing),
    .obstacle(.needed(until: 1_800_000_000)), .obstacle(.kept([node])), .canRetire, .notRetired, .retired,
  ]
}
