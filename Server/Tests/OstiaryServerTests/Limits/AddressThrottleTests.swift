import Foundation
import Testing

@testable import OstiaryServer

@Suite("Limits by address")
struct AddressThrottleTests {
  @Test("LO-09: an IPv6 address counts as its /64, a mapped IPv4 address as itself")
  func buckets() throws {
    func bucket(_ text: String) throws -> [UInt8] { try #require(ClientAddress(text)).bucket }
    #expect(try bucket("2001:db8:1:2:3:4:5:6") == bucket("2001:db8:1:2::"))
    #expect(try bucket("2001:db8:1:2::") != bucket("2001:db8:1:3::"))
    #expect(try bucket("::ffff:192.0.2.1") == bucket("192.0.2.1"))
    #expect(try bucket("192.0.2.1") != bucket("192.0.2.2"))
    #expect(try bucket("fe80::1%eth0") == bucket("fe80::2"))
  }

  @Test(
    "What is no numeric address is none",
    arguments: [
      "", "localhost", "192.0.2", "192.0.2.256", "192.0.2.1, 192.0.2.2", "[::1]", "::1\u{0}", "1::2::3",
      String(repeating: ":", count: 1000),
    ])
  func invalid(text: String) {
    #expect(ClientAddress(text) == nil)
  }

  @Test("LO-10: memory is bounded under a million addresses, and the busiest are not forgotten")
  func bounded() throws {
    var limits = LoginLimits.standard
    limits.mostKeys = 1000
    let throttle = AddressThrottle(limits: limits)
    let now = Date(timeIntervalSince1970: 0)
    let busy = try #require(ClientAddress("192.0.2.1"))
    for _ in 0..<20 { #expect(throttle.reserve(busy, now: now) == nil) }
    for index in 0..<1_000_000 {
      let address = try #require(ClientAddress("10.\(index >> 16 & 255).\(index >> 8 & 255).\(index & 255)"))
      _ = throttle.reserve(address, now: now)
      if throttle.count > 1000 { Issue.record("\(throttle.count) addresses are remembered") }
    }
    #expect(throttle.reserve(busy, now: now) == .seconds(30))
  }

  @Test("An address without debt needs no room")
  func drains() throws {
    var limits = LoginLimits.standard
    limits.mostKeys = 10
    let throttle = AddressThrottle(limits: limits)
    for index in 0..<10 {
      _ = throttle.reserve(try #require(ClientAddress("192.0.2.\(index)")), now: Date(timeIntervalSince1970: 0))
    }
    let other = try #require(ClientAddress("192.0.2.99"))
    _ = throttle.reserve(other, now: Date(timeIntervalSince1970: 31))
    #expect(throttle.count == 1)
    throttle.refund(other, now: Date(timeIntervalSince1970: 31))
    #expect(throttle.count == 0)
  }

  @Test("The debt never grows beyond the burst, also where the clock is set back")
  func ceiling() throws {
    let throttle = AddressThrottle(limits: .standard)
    let address = try #require(ClientAddress("192.0.2.1"))
    let now = Date(timeIntervalSince1970: 1_000_000)
    for _ in 0..<1000 { _ = throttle.reserve(address, now: now) }
    #expect(throttle.reserve(address, now: now) == .seconds(30))
    #expect(throttle.reserve(address, now: Date(timeIntervalSince1970: 0)) == .seconds(30))
    #expect(throttle.reserve(address, now: Date(timeIntervalSince1970: 30)) == nil)
  }

  @Test("An attempt that is taken back leaves what others owe")
  func refund() throws {
    let throttle = AddressThrottle(limits: .standard)
    let address = try #require(ClientAddress("192.0.2.1"))
    let now = Date(timeIntervalSince1970: 0)
    for _ in 0..<20 { #expect(throttle.reserve(address, now: now) == nil) }
    #expect(throttle.reserve(address, now: now) == .seconds(30))
    throttle.refund(address, now: now)
    #expect(throttle.reserve(address, now: now) == nil)
    #expect(throttle.reserve(address, now: now) == .seconds(30))
  }
}
