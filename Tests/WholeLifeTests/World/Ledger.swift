import Foundation

/// What the servers of a life have given to which process, and what is still good: what the referee judges by.
final class Ledger: @unchecked Sendable {
  // Used by the thread of the life alone.
  /// One sign-in at one server.
  struct Family {
    let layer: Int
    let user: String
    /// When it began, in steps of the ledger.
    let born: Int
    /// Why the server does not know it any more.
    var over: String?
    /// Whether the answer to its sign-in has come to a living process whole.
    var isEstablished = false
    /// Whether this side has asked the server to end it.
    var isEndAsked = false
    /// The newest of its values.
    var newest = 0
  }

  /// A token or a cookie's value.
  struct Given {
    enum State { case onTheWay, here, lost }
    let family: Int
    let kind: String
    let serial: Int
    var isAccepted = true
    var state = State.onTheWay
    /// The processes that were given it.
    var holders: Set<Int> = []
    /// What it was used up for.
    var successor: String?
    /// Whether it was given before the store was damaged.
    var isBeforeDamage = false
  }

  private(set) var families: [Family] = []
  private(set) var given: [String: Given] = [:]
  private(set) var step = 0
  /// What must not happen and did, as it happened.
  var broken: [String] = []

  func family(of value: String) -> Int? { given[value]?.family }

  func begin(layer: Int, user: String) -> Int {
    step += 1
    families.append(Family(layer: layer, user: user, born: step))
    return families.count - 1
  }

  func tick() -> Int {
    step += 1
    return step
  }

  /// Makes a value that the server accepts. No value is part of another.
  func give(_ kind: String, of family: Int) -> String {
    families[family].newest += 1
    let value = "\(kind)F\(family)N\(families[family].newest)z"
    given[value] = Given(family: family, kind: kind, serial: families[family].newest)
    return value
  }

  func accepts(_ value: String) -> Bool {
    guard let entry = given[value] else { return false }
    return entry.isAccepted && families[entry.family].over == nil
  }

  func withdraw(_ value: String) { given[value]?.isAccepted = false }

  func end(_ family: Int, _ why: String) {
    if families[family].over == nil { families[family].over = why }
  }

  func askedToEnd(_ value: String) {
    if let family = family(of: value) { families[family].isEndAsked = true }
  }

  func establish(_ value: String) {
    if let family = family(of: value) { families[family].isEstablished = true }
  }

  func uses(_ value: String, for successor: String) {
    given[value]?.successor = successor
    given[value]?.isAccepted = false
  }

  /// A used one-time value is shown: allowed only where its successor is nowhere. A process that can't read a damaged entry
  /// can't know of what another was given before the damage either.
  func shownAgain(_ value: String, by process: Int) {
    guard let successor = given[value]?.successor, let next = given[successor], next.state != .lost,
      !next.isBeforeDamage
    else { return }
    broken.append("process \(process) showed \(value), whose successor \(successor) is \(next.state)")
  }

  func arrived(_ values: [String], at process: Int) {
    for value in values where given[value]?.state != .lost {
      given[value]?.state = .here
      given[value]?.holders.insert(process)
    }
  }

  func lost(_ values: [String]) {
    for value in values where given[value]?.state == .onTheWay { given[value]?.state = .lost }
  }

  func hold(_ value: String, by process: Int) { given[value]?.holders.insert(process) }

  /// A process has died, or the store was damaged: what is neither stored nor in another process is lost.
  func forget(process: Int?, unless isElsewhere: (String) -> Bool) {
    for (value, entry) in given where entry.state == .here {
      var holders = entry.holders
      if let process { holders.remove(process) }
      given[value]?.holders = holders
      if holders.isEmpty, !isElsewhere(value) { given[value]?.state = .lost }
    }
  }

  /// The store was damaged, and with it what processes could learn of each other.
  func damage() {
    for value in given.keys { given[value]?.isBeforeDamage = true }
  }

  /// Whether the server accepts a value of the family that has come to a process and was not lost with one.
  func isAlive(_ family: Int) -> Bool {
    families[family].over == nil && families[family].isEstablished
      && given.values.contains { $0.family == family && $0.isAccepted && $0.state == .here }
  }

  func values(of family: Int) -> [String] {
    given.filter { $0.value.family == family }.sorted { $0.value.serial < $1.value.serial }.map(\.key)
  }

  /// The families of a layer that the server has not ended.
  func living(_ layer: Int) -> [Int] {
    families.indices.filter { families[$0].layer == layer && families[$0].over == nil }
  }
}
