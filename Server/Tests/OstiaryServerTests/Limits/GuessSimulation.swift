import Foundation
import OstiaryCore

@testable import OstiaryServer

/// Strangers with many addresses who guess at one subject, each as soon as it may. Deterministic: a seed, and no clock.
struct GuessSimulation {
  /// How the strangers' addresses lie.
  enum Layout: String, CaseIterable {
    case scattered = "IPv4, each in a /24 of its own"
    case blocks = "IPv4, whole /24s"
    case oneSite = "IPv6, each a /64, in whole /48s"
    case oneProvider = "IPv6, each in a /48 of its own, in whole /32s"

    /// The numbers of an address's networks.
    func networks(_ address: Int) -> (host: Int, site: Int, provider: Int?) {
      switch self {
      case .scattered: (address, address, nil)
      case .blocks: (address, address >> 8, nil)
      case .oneSite: (address, address >> 16, 0)
      case .oneProvider: (address, address, address >> 16)
      }
    }
  }

  fileprivate struct Key: Hashable {
    let scope: GuessScope
    let number: Int
  }

  fileprivate struct Event {
    let time: TimeInterval
    let address: Int
    /// The network for all of which it asks again.
    var network: Key?
  }

  let budget: GuessBudget
  let layout: Layout
  private var random: SplitMix
  private var counts: [Key: GuessCount] = [:]
  /// Those that wait until a network that they share with others may guess again.
  private var parked: [Key: [Int]] = [:]

  init(_ budget: GuessBudget, _ layout: Layout, seed: UInt64) {
    self.budget = budget
    self.layout = layout
    random = SplitMix(state: seed)
  }

  private func key(_ scope: GuessScope, _ networks: (host: Int, site: Int, provider: Int?)) -> Key {
    switch scope {
    case .host, .hostOfAll: Key(scope: scope, number: networks.host)
    case .site, .siteOfAll: Key(scope: scope, number: networks.site)
    case .provider, .providerOfAll: Key(scope: scope, number: networks.provider ?? 0)
    case .device, .everywhere: Key(scope: scope, number: 0)
    }
  }

  private mutating func guess(_ networks: (host: Int, site: Int, provider: Int?), now: TimeInterval) -> (
    TimeInterval, Key
  )? {
    var scopes: [GuessScope] = [.host, .site, .everywhere, .hostOfAll, .siteOfAll]
    if networks.provider != nil { scopes += [.provider, .providerOfAll] }
    var known: [GuessScope: GuessCount] = [:]
    for scope in scopes { known[scope] = counts[key(scope, networks)] }
    switch budget.decide(known, scopes, now: now) {
    case .wait(let wait, let scope): return (wait, key(scope, networks))
    case .allow(let new):
      for (scope, count) in new { counts[key(scope, networks)] = count }
      return nil
    }
  }

  /// What came of it.
  struct Result: Equatable {
    /// Guesses that were looked at, each day.
    var guesses: [Int]
    /// The longest that an owner waited, on a new device in a network of its own, for a first attempt and after a slip.
    var ownersFirst: TimeInterval = 0
    var ownersSecond: TimeInterval = 0
  }

  /// - Parameter addresses: how many there are; all begin within the first hour.
  mutating func run(addresses: Int, days: Int, owners: Int = 0) -> Result {
    var result = Result(guesses: Array(repeating: 0, count: days))
    let end = TimeInterval(days) * 86_400
    var queue = EventQueue()
    for address in 0..<addresses { queue.push(Event(time: nextTime(3600), address: address)) }
    // Owners come in the course of the attack, from addresses with negative numbers.
    for owner in 0..<owners { queue.push(Event(time: 3600 + nextTime(end - 7200), address: -1 - owner)) }
    while let event = queue.pop(), event.time < end {
      if event.address < 0 {
        let network = (
          host: event.address, site: event.address, provider: layout.networks(0).provider.map { _ in event.address }
        )
        if let (wait, _) = guess(network, now: event.time) { result.ownersFirst = max(result.ownersFirst, wait) }
        if let (wait, _) = guess(network, now: event.time) { result.ownersSecond = max(result.ownersSecond, wait) }
        continue
      }
      let answer = guess(layout.networks(event.address), now: event.time)
      if answer == nil { result.guesses[Int(event.time / 86_400)] += 1 }
      if let network = event.network, answer?.1 != network {
        // The next of those who share it.
        if let next = parked[network]?.popLast() {
          queue.push(Event(time: event.time, address: next, network: network))
        } else {
          parked[network] = nil
        }
      }
      guard let (wait, because) = answer else {
        queue.push(Event(time: event.time, address: event.address))
        continue
      }
      // One of those who share a network asks again for all.
      let isShared = because.scope == .site || because.scope == .provider
      if isShared, because != event.network, parked[because] != nil {
        parked[because]?.append(event.address)
        continue
      }
      if isShared, parked[because] == nil { parked[because] = [] }
      let next = event.time + max(wait, 0.001)
      queue.push(Event(time: next, address: event.address, network: isShared ? because : nil))
    }
    return result
  }

  private mutating func nextTime(_ limit: TimeInterval) -> TimeInterval {
    TimeInterval(random.next() % 1_000_000) / 1_000_000 * limit
  }
}

/// A heap, the earliest event first. Of one type and without closures: the simulation spends half of its time in here.
private struct EventQueue {
  private var events: [GuessSimulation.Event] = []

  mutating func push(_ event: GuessSimulation.Event) {
    events.append(event)
    var child = events.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      if event.time >= events[parent].time { break }
      events[child] = events[parent]
      child = parent
    }
    events[child] = event
  }

  mutating func pop() -> GuessSimulation.Event? {
    guard let first = events.first else { return nil }
    let last = events.removeLast()
    let count = events.count
    if count == 0 { return first }
    var place = 0
    while true {
      let left = 2 * place + 1
      if left >= count { break }
      var (least, time) = (place, last.time)
      if events[left].time < time { (least, time) = (left, events[left].time) }
      if left + 1 < count, events[left + 1].time < time { least = left + 1 }
      if least == place { break }
      events[place] = events[least]
      place = least
    }
    events[place] = last
    return first
  }
}
