import Foundation
import HTTPTypes
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Flows: the model", .timeLimit(.minutes(20)))
struct FlowModelTests {
  /// What each call sends, all of it right as far as it can be.
  private static func fields(_ call: FlowCall) -> [String: String] {
    switch call {
    case .login: ["identifier": "jane", "password": FlowWorld.password]
    case .signup: ["email": "new@example.com", "display_name": "New", "password": FlowWorld.newPassword]
    case .sendCode: ["email": FlowWorld.address]
    case .checkCode: ["code": "00000000"]
    case .resend: [:]
    case .setPassword: ["new_password": FlowWorld.newPassword]
    case .save: ["display_name": "Jane II"]
    case .changePassword: ["current_password": FlowWorld.password, "new_password": FlowWorld.newPassword]
    }
  }

  /// A flow at a step, and the client that has it.
  private static func flow(
    _ kind: FlowKind, at step: FlowStep, in world: FlowWorld, _ jane: User
  ) async throws -> (String, FlowClient) {
    let client = FlowWorld.browser("b", user: kind == .profile ? jane : nil)
    let flow = try world.begin(kind, client)
    func go(_ call: FlowCall, _ fields: [String: String]) async throws {
      let outcome = try await world.submit(kind, flow, call, fields, client)
      #expect(outcome.problem == nil, "\(kind) \(call): \(outcome.summary)")
    }
    switch (kind, step) {
    case (.login, .done): try await go(.login, fields(.login))
    case (.signup, .code): try await go(.signup, fields(.signup))
    case (.signup, .done):
      try await go(.signup, fields(.signup))
      try await go(.checkCode, ["code": try #require(await world.code(for: "new@example.com"))])
    case (.recover, .code): try await go(.sendCode, fields(.sendCode))
    case (.recover, .password), (.recover, .done):
      try await go(.sendCode, fields(.sendCode))
      try await go(.checkCode, ["code": try #require(await world.code())])
      if step == .done { try await go(.setPassword, fields(.setPassword)) }
    case (.profile, .done): try await go(.changePassword, fields(.changePassword))
    default: break
    }
    return (flow, client)
  }

  /// Every step that a flow of the kind can be at.
  private static let steps: [FlowKind: [FlowStep]] = [
    .login: [.credentials, .done], .signup: [.details, .code, .done], .recover: [.address, .code, .password, .done],
    .profile: [.settings, .done],
  ]

  @Test("FL-02: every pair of a state and a call is answered as the table says", arguments: FlowKind.allCases)
  func table(kind: FlowKind) async throws {
    for step in try #require(Self.steps[kind]) {
      for call in FlowCall.allCases {
        let world = try FlowWorld()
        let jane = try await world.addJane()
        let (flow, client) = try await Self.flow(kind, at: step, in: world, jane)
        let before = try await world.rows()
        let outcome = try await world.submit(kind, flow, call, Self.fields(call), client)
        if FlowModel.allows(call, kind, at: step) {
          #expect(outcome.status != .conflict, "\(kind) \(step) \(call): \(outcome.summary)")
        } else {
          #expect(outcome.status == .conflict)
          #expect(outcome.problem == (step == .done ? .flowFinished : .flowOutOfOrder), "\(kind) \(step) \(call)")
          #expect(outcome.document.step == step)
          #expect(outcome.signedIn == nil)
          #expect(try await world.rows() == before, "\(kind) \(step) \(call)")
        }
      }
    }
  }

  @Test("FL-02: the table names every call once, and steps that exist")
  func isWhole() {
    for kind in FlowKind.allCases {
      let known = Set(Self.steps[kind] ?? []).subtracting([.done])
      #expect(Set(FlowModel.calls[kind]?.keys ?? [:].keys) == known)
    }
    let listed = FlowModel.calls.values.flatMap { $0.values.flatMap { $0 } }
    #expect(Set(listed) == Set(FlowCall.allCases))
    for call in FlowCall.allCases { #expect(!FlowModel.allows(call, .login, at: .done)) }
  }

  @Test("RC-13: no order of calls reaches a new password without the code", arguments: 0..<20)
  func noWayAround(seed: Int) async throws {
    var random = SplitMix(state: UInt64(seed) &* 7919 &+ 1)
    let world = try FlowWorld()
    try await world.addJane()
    var flows: [(FlowKind, String)] = []
    for kind in [FlowKind.recover, .recover, .signup, .login] { flows.append((kind, try world.begin(kind))) }
    for _ in 0..<40 {
      let (kind, flow) = flows[Int(random.next() % UInt64(flows.count))]
      let asked = FlowKind.allCases[Int(random.next() % 4)]
      let call = FlowCall.allCases[Int(random.next() % UInt64(FlowCall.allCases.count))]
      var fields = Self.fields(call)
      // The right code is never shown: one that is always wrong.
      let code = await world.code()
      fields = call == .checkCode ? ["code": code == "00000000" ? "00000001" : "00000000"] : fields
      if call == .login { fields["password"] = "not the password at all" }
      let outcome = try await world.submit(random.next() % 4 == 0 ? asked : kind, flow, call, fields)
      #expect(outcome.document.step != .password)
      if random.next() % 3 == 0 { world.clock.advance(by: .seconds(61)) }
    }
    #expect(try await world.accepts(FlowWorld.password))
    #expect(try await !world.accepts(FlowWorld.newPassword))
  }
}

/// A generator whose numbers a seed determines.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
