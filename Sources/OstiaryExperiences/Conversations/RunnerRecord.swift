internal import Foundation
internal import OstiaryCore

/// A runner's machine as it rests between two requests. Screens stand in it by their names, so that a record is never read
/// for other screens than it was written for. It has no place for a secret.
struct RunnerRecord: Codable {
  /// Increased when the meaning of a member changes: earlier records are then no records.
  static let version = 1
  static let mostLanguages = 20
  /// A user does not go back further than this after another request.
  private static let longestHistory = 50

  struct Screen: Codable, Hashable {
    var flow: String
    var screen: String

    func place(in experience: Experience) -> Experience.Place? { experience.place(of: screen, in: flow) }
  }

  /// What was entered, or filled in.
  struct Entry: Codable {
    var screen: Screen
    var key: String
    /// Nil for a secret, which the caller has something in place of.
    var text: String?
    var isTouched: Bool
    var order: Int
  }

  /// Why a field is not accepted.
  struct Fault: Codable {
    var screen: Screen
    var key: String
    var issue: FieldIssue?
    var own: String?
    var general: String?
  }

  var version = Self.version
  var languages: [String]
  var screen: Screen
  var history: [Screen]
  var visited: [Screen]
  var completed: [Screen]
  var entries: [Entry]
  var entered: [String: JSONValue]
  var faults: [Fault]
  var messages: [String]
  var turn: Int
  var order: Int
  var revision: Int

  init(
    _ machine: RunnerMachine, languages: [String], keeping isKept: (_ flow: String, _ field: Experience.Field) -> Bool
  ) {
    func name(_ place: RunnerMachine.Place) -> Screen {
      Screen(flow: machine.flow(at: place).id, screen: machine.screen(at: place).id)
    }
    self.languages = languages
    screen = name(machine.place)
    history = machine.history.suffix(Self.longestHistory).map(name)
    visited = machine.visited.map(name).sorted()
    completed = machine.completed.map(name).sorted()
    entries = machine.entries.compactMap { place, entry in
      guard let field = machine.screen(at: place.place).field(place.key) else { return nil }
      var record = Entry(
        screen: name(place.place), key: place.key, isTouched: entry.isTouched, order: entry.order)
      if field.isSecure {
        // A secret that was not accepted yet has to be entered again.
        guard machine.completed.contains(place.place), isKept(machine.flow(at: place.place).id, field) else {
          return nil
        }
      } else {
        record.text = entry.reveal
      }
      return record
    }.sorted { ($0.screen, $0.key) < ($1.screen, $1.key) }
    entered = machine.entered
    faults = machine.faults.map { place, fault in
      var record = Fault(screen: name(place.place), key: place.key)
      switch fault {
      case .broken(let issue): record.issue = issue
      case .refused(let own, let general): (record.own, record.general) = (own, general)
      }
      return record
    }.sorted { ($0.screen, $0.key) < ($1.screen, $1.key) }
    messages = machine.messages
    turn = machine.turn
    order = machine.lastOrder
    revision = machine.revision
  }

  /// The machine that goes on from here; nil if the document has no such screen. What else the document has no longer is left out.
  func machine(of experience: Experience, properties: [String: JSONValue]) -> RunnerMachine? {
    guard version == Self.version, let place = screen.place(in: experience) else { return nil }
    var machine = RunnerMachine(
      experience, as: nil, flow: screen.flow, screen: screen.screen, languages: languages, properties: properties)
    machine.phase = .shown
    machine.place = place
    machine.history = history.compactMap { $0.place(in: experience) }
    machine.visited = Set(visited.compactMap { $0.place(in: experience) })
    machine.completed = Set(completed.compactMap { $0.place(in: experience) })
    for entry in entries {
      guard let place = entry.screen.place(in: experience),
        let field = machine.screen(at: place).field(entry.key), field.isSecure == (entry.text == nil),
        field.kind != .hidden
      else { continue }
      let content = entry.text.map { RunnerMachine.Entry.Content.text($0) } ?? .kept
      machine.entries[.init(place: place, key: entry.key)] = RunnerMachine.Entry(
        content: content, isTouched: entry.isTouched, order: entry.order)
    }
    machine.entered = entered
    // What is hidden the document says that is there now, also where it asked for it before.
    for place in machine.visited {
      for field in machine.screen(at: place).fields where field.kind == .hidden {
        machine.entries[.init(place: place, key: field.key)] = machine.initialText(of: field)
          .map { RunnerMachine.Entry(content: .text($0), isTouched: false) }
      }
    }
    for fault in faults {
      guard let place = fault.screen.place(in: experience) else { continue }
      machine.faults[.init(place: place, key: fault.key)] =
        fault.issue.map { RunnerMachine.Fault.broken($0) } ?? .refused(fault.own, fault.general)
    }
    machine.messages = messages
    machine.turn = turn
    machine.lastOrder = order
    machine.revision = revision
    return machine
  }
}

extension RunnerRecord.Screen: Comparable {
  static func < (one: Self, other: Self) -> Bool { (one.flow, one.screen) < (other.flow, other.screen) }
}
