import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Device flow", .timeLimit(.minutes(20)))
struct DeviceTests {
  private static func begin(_ world: TokenWorld) async throws -> IssuedDeviceCodes {
    try await world.tokens.beginDevice(world.request())
  }

  private static func poll(_ world: TokenWorld, _ device: IssuedDeviceCodes) async throws -> DeviceDecision {
    try await world.tokens.pollDevice(code: device.deviceCode, client: world.client)
  }

  private static func name(_ decision: DeviceDecision) -> String {
    switch decision {
    case .issued: "issued"
    case .pending: "pending"
    case .slowDown(let interval): "slow down to \(interval.components.seconds)"
    case .denied: "denied"
    case .expired: "expired"
    case .refused(let refusal): refusal.rawValue
    }
  }

  @Test("Bug-G02: a decision that is sent again has the first one's answer; another one, or another user's, has not")
  func twice() async throws {
    let world = try await TokenWorld()
    let bob = try await world.identity.identity.addUser(name: "bob", password: IdentityWorld.password)
    for isAllowed in [true, false] {
      let device = try await Self.begin(world)
      for _ in 0..<3 { #expect(try await world.decide(device.userCode, isAllowed: isAllowed)) }
      #expect(try await world.decide(device.userCode, isAllowed: !isAllowed) == false)
      #expect(try await world.device(device.userCode) == nil)
      if isAllowed {
        let other = try await world.tokens.decideDevice(
          userCode: device.userCode, isAllowed: true, by: bob, from: .unknown)
        if case .right = other { Issue.record("it is not theirs") }
      }
      #expect(Self.name(try await Self.poll(world, device)) == (isAllowed ? "issued" : "denied"))
      #expect(try await world.decide(device.userCode, isAllowed: isAllowed) == false)
    }
  }

  @Test("OA-18: a device waits, polls too fast, is let in, once")
  func approved() async throws {
    let world = try await TokenWorld()
    let device = try await Self.begin(world)
    #expect(device.userCode.count == 10 && device.interval == .seconds(5))
    #expect(Self.name(try await Self.poll(world, device)) == "pending")
    world.clock.advance(by: .seconds(5))
    #expect(Self.name(try await Self.poll(world, device)) == "pending")
    world.clock.advance(by: .seconds(1))
    #expect(Self.name(try await Self.poll(world, device)) == "slow down to 10")
    world.clock.advance(by: .seconds(5))
    #expect(Self.name(try await Self.poll(world, device)) == "slow down to 15")
    world.clock.advance(by: .seconds(15))
    #expect(Self.name(try await Self.poll(world, device)) == "pending")

    let typed = " " + device.userCode.prefix(5).lowercased() + "-" + device.userCode.suffix(5)
    let shown = try #require(try await world.device(typed))
    #expect(shown.clientID == "app" && shown.scopes == TokenWorld.scopes)
    #expect(try await world.decide(typed))
    #expect(try await world.device(typed) == nil)
    #expect(try await world.decide(typed, isAllowed: false) == false)

    guard case .issued(let tokens) = try await Self.poll(world, device) else {
      Issue.record("the device was not let in")
      return
    }
    #expect(tokens.grant.user?.name == "ada")
    #expect(try await world.isAlive(tokens.accessToken))
    #expect(Self.name(try await Self.poll(world, device)) == "unknown")
  }

  @Test("OA-18: a device is kept out, is too late, is another client's")
  func others() async throws {
    let world = try await TokenWorld()
    let denied = try await Self.begin(world)
    #expect(try await world.decide(denied.userCode, isAllowed: false))
    #expect(Self.name(try await Self.poll(world, denied)) == "denied")
    #expect(Self.name(try await Self.poll(world, denied)) == "unknown")

    let late = try await Self.begin(world)
    let stranger = try await world.otherClient()
    let foreign = try await world.tokens.pollDevice(code: late.deviceCode, client: stranger)
    #expect(Self.name(foreign) == "other_client")
    world.clock.advance(by: .seconds(600))
    #expect(try await world.decide(late.userCode) == false)
    #expect(try await world.device(late.userCode) == nil)
    #expect(Self.name(try await Self.poll(world, late)) == "expired")
    #expect(Self.name(try await world.tokens.pollDevice(code: "x", client: world.client)) == "unknown")
    #expect(try await world.device("no code at all") == nil)
  }

  @Test("OA-18: of many polls at once exactly one gets the tokens")
  func parallel() async throws {
    let world = try await TokenWorld()
    let device = try await Self.begin(world)
    #expect(try await world.decide(device.userCode))
    let answers = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<16 { group.addTask { Self.name(try await Self.poll(world, device)) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.count { $0 == "issued" } == 1)
    #expect(answers.count { $0 == "unknown" } == 15)
  }

  @Test("OA-18: a user who is disabled after letting a device in has let in nobody")
  func disabled() async throws {
    let world = try await TokenWorld()
    let device = try await Self.begin(world)
    #expect(try await world.decide(device.userCode))
    try await world.identity.identity.disableUser(named: "ada")
    #expect(Self.name(try await Self.poll(world, device)) == "user_disabled")
  }
}
