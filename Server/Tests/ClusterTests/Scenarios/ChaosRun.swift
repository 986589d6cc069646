import Foundation
import OstiaryCore

/// The size and the seed of a run, and its report.
enum ChaosRun {
  private static let environment = ProcessInfo.processInfo.environment

  /// How long each scenario takes: 20 seconds in `make test`.
  static let seconds = environment["OSTIARY_CHAOS_SECONDS"].flatMap { Int($0) } ?? 20
  /// Whether this is `make chaos-cluster`.
  static let isFull = environment["OSTIARY_CHAOS_FULL"] != nil
  /// Whether this is `make mutations`, which has switched off a guard that a directed scenario is about.
  static let isMutation = environment["OSTIARY_MUTATION"] != nil
  static let seed = environment["OSTIARY_SEED"].flatMap { UInt64($0) } ?? 0
  static let clients = environment["OSTIARY_CHAOS_CLIENTS"].flatMap { Int($0) } ?? 200
  /// An older command, whose nodes are upgraded.
  static let oldProgram = environment["OSTIARY_OLD_BINARY"].flatMap { $0.isEmpty ? nil : URL(filePath: $0) }
  static let racers = 4
  /// How long a client does nothing between two things, at most.
  static let pace = Duration.seconds(4)

  /// Tells the reader of the run, on the terminal and in the file that is named, if one is.
  static func say(_ text: String) {
    print("chaos: \(text)")
    guard let path = environment["OSTIARY_CHAOS_REPORT"] else { return }
    if !FileManager.default.fileExists(atPath: path) { _ = FileManager.default.createFile(atPath: path, contents: nil) }
    guard let file = try? FileHandle(forWritingTo: URL(filePath: path)) else { return }
    _ = try? file.seekToEnd()
    try? file.write(contentsOf: Data((text + "\n").utf8))
    try? file.close()
  }

  /// What the clients have seen, in numbers.
  static func summary(_ history: ClusterHistory) -> [String] {
    let groups = Dictionary(grouping: history.events) { "\($0.action.rawValue)" }
    return groups.keys.sorted().map { action in
      let events = groups[action] ?? []
      var counts: [String: Int] = [:]
      for event in events { counts[word(event.outcome), default: 0] += 1 }
      let words = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
      return "\(action): \(events.count) (\(words))"
    }
  }

  private static func word(_ outcome: ClusterEvent.Outcome) -> String {
    switch outcome {
    case .coded, .issued, .accepted: "done"
    case .refused: "refused"
    case .unavailable: "503"
    case .lost: "lost"
    case .fault(let status): "\(status)"
    }
  }

  /// Keeps a history that has violations, for the reader.
  static func keep(_ history: ClusterHistory) throws -> String {
    let file = URL(filePath: "/tmp/ostiary-chaos-\(seed)-\(UUID().uuidString.prefix(8)).json")
    try JSONEncoder().encode(history).write(to: file)
    return file.path(percentEncoded: false)
  }
}
