import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Budgets of guesses, as values")
struct GuessBudgetTests {
  private static let budget = GuessBudget(rules: PasswordGuess.rules(.standard))
  private static let now: TimeInterval = 1_800_000_000

  /// Counts in memory, for one subject.
  private struct Counts {
    var counts: [String: GuessCount] = [:]

    static func key(_ scope: GuessScope, _ network: GuessNetwork?) -> String {
      switch scope {
      case .host, .hostOfAll: "\(scope) \(network?.host ?? [])"
      case .site, .siteOfAll: "\(scope) \(network?.site ?? [])"
      case .provider, .providerOfAll: "\(scope) \(network?.provider ?? [])"
      case .device, .everywhere: "\(scope)"
      }
    }

    /// A wrong guess. Returns how long to wait where it was not looked at.
    mutating func guess(_ address: String, isKnown: Bool = false, now: TimeInterval) throws -> TimeInterval? {
      let network = GuessNetwork(try #require(ClientAddress(address)))
      let scopes = GuessBudget.scopes(network: network, isKnownDevice: isKnown)
      var known: [GuessScope: GuessCount] = [:]
      for scope in scopes { known[scope] = counts[Self.key(scope, network)] }
      switch GuessBudgetTests.budget.decide(known, scopes, now: now) {
      case .wait(let wait, _): return wait
      case .allow(let new):
        for (scope, count) in new { counts[Self.key(scope, network)] = count }
        return nil
      }
    }
  }

  @Test("A network is an address, a /24 and nothing wider in IPv4; a /64, a /48 and a /32 in IPv6")
  func networks() throws {
    let four = GuessNetwork(try #require(ClientAddress("192.0.2.7")))
    #expect(four.host == [192, 0, 2, 7] && four.site == [192, 0, 2] && four.provider == nil)
    let six = GuessNetwork(try #require(ClientAddress("2001:db8:1:2:3:4:5:6")))
    #expect(six.host == [0x20, 1, 0xD, 0xB8, 0, 1, 0, 2] && six.site == [0x20, 1, 0xD, 0xB8, 0, 1])
    #expect(six.provider == [0x20, 1, 0xD, 0xB8])
    #expect(GuessNetwork(try #require(ClientAddress("::ffff:192.0.2.7"))) == four)
  }

  @Test("Bug-C06: what one network does makes no other wait, however much it is")
  func networksAreApart() throws {
    var counts = Counts()
    for _ in 0..<100 { _ = try counts.guess("198.51.100.1", now: Self.now) }
    #expect(try counts.guess("198.51.100.1", now: Self.now) != nil)
    #expect(try counts.guess("203.0.113.1", now: Self.now) == nil)
  }

  @Test("Bug-C06: under attack a new network's first guess is looked at, and a mistake costs 15 minutes")
  func underAttack() throws {
    var counts = Counts()
    for index in 0..<1000 { _ = try counts.guess("198.51.\(index / 250).\(index % 250)", now: Self.now) }
    #expect(try counts.guess("203.0.113.1", now: Self.now) == nil)
    #expect(try counts.guess("203.0.113.1", now: Self.now) == 900)
    #expect(try counts.guess("203.0.113.1", now: Self.now + 900) == nil)
    // The attack wears off within an hour or two, and five mistakes cost half a minute again.
    let later = Self.now + 2 * 3600
    for _ in 0..<5 { #expect(try counts.guess("203.0.113.2", now: later) == nil) }
    #expect(try counts.guess("203.0.113.2", now: later) == 30)
  }

  @Test("Bug-C01: the addresses of one /48 have no more than four times what one has, those of a /32 a hundred an hour")
  func wideNetworks() throws {
    var counts = Counts()
    var looked = 0
    for index in 0..<2000 {
      let address = "2001:db8:0:" + String(index, radix: 16) + "::1"
      if try counts.guess(address, now: Self.now) == nil { looked += 1 }
    }
    // Twenty, as four times five; then the subject is under attack.
    #expect(looked <= 20)
    counts = Counts()
    looked = 0
    for index in 0..<2000 {
      let address = "2001:db8:" + String(index, radix: 16) + "::1"
      if try counts.guess(address, now: Self.now) == nil { looked += 1 }
    }
    #expect(looked == 100)
    // Another provider's.
    #expect(try counts.guess("2001:db9::1", now: Self.now) == nil)
  }

  @Test("Bug-C06: a known device's budget is its own: strangers change nothing of it, and it changes nothing of theirs")
  func knownDevice() throws {
    var counts = Counts()
    for _ in 0..<50 { _ = try counts.guess("203.0.113.1", now: Self.now) }
    for _ in 0..<5 { #expect(try counts.guess("203.0.113.1", isKnown: true, now: Self.now) == nil) }
    #expect(try counts.guess("203.0.113.1", isKnown: true, now: Self.now) == 30)
    #expect(try counts.guess("192.0.2.1", now: Self.now) == nil)
  }

  @Test("Waits grow from 30 seconds to an hour, under attack from 15 minutes to a day, and are forgotten after a week")
  func ladders() throws {
    let rules = Self.budget.rules
    #expect((4...12).map { rules.calm.wait(after: $0) } == [0, 30, 60, 120, 240, 480, 960, 1920, 3600])
    #expect(
      (0...9).map { rules.strict.wait(after: $0) } == [
        0, 900, 1800, 3600, 7200, 14_400, 28_800, 57_600, 86_400, 86_400,
      ])
    #expect(rules.calm.wait(after: .max) == 3600 && rules.strict.wait(after: .max) == 86_400)
    var counts = Counts()
    for _ in 0..<5 { #expect(try counts.guess("203.0.113.1", now: Self.now) == nil) }
    #expect(try counts.guess("203.0.113.1", now: Self.now) == 30)
    for _ in 0..<5 { #expect(try counts.guess("203.0.113.1", now: Self.now + 7 * 86_400) == nil) }
  }

  @Test("A clock that is set back makes no wait longer")
  func clockSetBack() throws {
    var counts = Counts()
    for _ in 0..<5 { _ = try counts.guess("203.0.113.1", now: Self.now) }
    #expect(try counts.guess("203.0.113.1", now: Self.now - 1_000_000) == 30)
    // Twenty of all names, and the address has to wait; not at a clock at which these can't have been made.
    let scopes: [GuessScope] = [.hostOfAll]
    let full = [GuessScope.hostOfAll: GuessCount(at: Self.now + 600)]
    #expect(Self.budget.decide(full, scopes, now: Self.now) == .wait(30, .hostOfAll))
    #expect(Self.budget.decide(full, scopes, now: Self.now - 30) == .wait(30, .hostOfAll))
    #expect(
      Self.budget.decide(full, scopes, now: Self.now - 1_000_000)
        == .allow([.hostOfAll: GuessCount(at: Self.now - 1_000_000 + 30)]))
  }

  @Test("A wait that is known in memory is no longer after the clock was set back")
  func rememberedWait() throws {
    let gate = GuessGate.of(try IdentityWorld().identity.storage)
    let (key, now) = (Data([1]), Date(timeIntervalSince1970: Self.now))
    gate.remember(.seconds(30), key, now: now)
    #expect(gate.wait(key, now: now) == .seconds(30) && gate.wait(key, now: now + 29) == .seconds(1))
    #expect(gate.wait(key, now: now + 30) == nil && gate.wait(key, now: now - 86_400) == nil)
  }
}
