import Foundation

/// The commands of the article *From one machine to three*, in their order.
///
/// A comment before each block says what the block is for the test; readers don't see it.
///
/// - `names`: the block with the names that all others use.
/// - `on: MACHINE, …`: the block is run there to its end. `as: NAME` names it, `stays` lets it run on, and `lines: N` runs it again
///   until its output has so many lines.
/// - `again: NAME; on: MACHINE, …`: a named block, where the article says that it is run once more. It has no block of its own.
/// - `restarts: MACHINE, …` and `stops: MACHINE, …`: commands of a service manager. The test does by itself what they say.
/// - `untried: WHY`: what is shown and neither run nor done.
struct ArticleBlocks {
  enum Action: Equatable {
    case names
    case run(Occasion)
    case again(name: String)
    case restart, stop
    case untried
  }

  /// How a block is run.
  struct Occasion: Equatable {
    var name: String?
    var stays = false
    var lines: Int?
  }

  struct Block: Equatable {
    let action: Action
    let machines: [String]
    /// What is written in the block; empty where there is none.
    let text: String
    /// The line of the article.
    let line: Int
  }

  /// What is wrong with the article.
  struct Malformed: Error, CustomStringConvertible {
    let line: Int
    let problem: String
    var description: String { "line \(line): \(problem)" }
  }

  /// Where it is.
  static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Sources/OstiaryServer/Documentation.docc/FromOneMachineToThree.md").standardizedFileURL
  static let machines = ["one", "two", "three", "balancer", "database"]

  let blocks: [Block]

  /// The names that all blocks use.
  var names: String { blocks.first { $0.action == .names }?.text ?? "" }

  init(_ text: String) throws {
    var blocks: [Block] = []
    var mark: (action: Action, machines: [String], line: Int)?
    var open: (language: String, lines: [Substring], line: Int)?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let number = index + 1
      if let block = open {
        if line != "```" {
          open?.lines.append(line)
          continue
        }
        let text: String = block.lines.map { "\($0)\n" }.joined()
        guard let found = mark else {
          throw Malformed(line: block.line, problem: "a block without a comment before it")
        }
        let isShell = block.language == "sh"
        guard isShell == Self.isShell(found.action) else {
          throw Malformed(line: block.line, problem: "“\(block.language)” is not for what its comment says")
        }
        blocks.append(Block(action: found.action, machines: found.machines, text: text, line: block.line))
        mark = nil
        open = nil
      } else if line.hasPrefix("```") {
        open = (String(line.dropFirst(3)), [], number)
      } else if line.hasPrefix("<!-- "), line.hasSuffix(" -->"), let found = try Self.mark(line, number) {
        if let mark { throw Malformed(line: mark.line, problem: "a comment without its block") }
        if case .again = found.action {
          blocks.append(Block(action: found.action, machines: found.machines, text: "", line: number))
        } else {
          mark = (found.action, found.machines, number)
        }
      }
    }
    if let mark { throw Malformed(line: mark.line, problem: "a comment without its block") }
    if let open { throw Malformed(line: open.line, problem: "a block without an end") }
    self.blocks = blocks
  }

  private static func isShell(_ action: Action) -> Bool {
    switch action {
    case .names, .run: true
    case .again, .restart, .stop, .untried: false
    }
  }

  /// What a comment says; nil for one about something else.
  private static func mark(_ line: Substring, _ number: Int) throws -> (action: Action, machines: [String])? {
    let parts = line.dropFirst("<!-- ".count).dropLast(" -->".count).split(separator: ";").map { part in
      let words = part.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      return (key: words.first ?? "", value: words.count > 1 ? words[1] : "")
    }
    guard let first = parts.first else { return nil }
    var action: Action
    switch first.key {
    case "names": action = .names
    case "on": action = .run(Occasion())
    case "again": action = .again(name: first.value)
    case "restarts": action = .restart
    case "stops": action = .stop
    case "untried": action = .untried
    default: return nil
    }
    var list = ["on", "restarts", "stops"].contains(first.key) ? first.value : ""
    for part in parts.dropFirst() {
      switch (part.key, action) {
      case ("on", .again): list = part.value
      case ("as", .run(var occasion)):
        occasion.name = part.value
        action = .run(occasion)
      case ("stays", .run(var occasion)):
        occasion.stays = true
        action = .run(occasion)
      case ("lines", .run(var occasion)):
        occasion.lines = Int(part.value)
        action = .run(occasion)
      default: throw Malformed(line: number, problem: "“\(part.key)” is unknown here")
      }
    }
    let names = list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    if let unknown = names.first(where: { !machines.contains($0) }) {
      throw Malformed(line: number, problem: "there is no machine “\(unknown)”")
    }
    guard names.isEmpty == [Action.names, .untried].contains(action) else {
      throw Malformed(line: number, problem: "it names no machine")
    }
    return (action, names)
  }
}
