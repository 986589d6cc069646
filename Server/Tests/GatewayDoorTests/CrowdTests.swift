import Foundation
import Ostiary
import OstiaryGateway
import OstiaryServer
import OstiaryTesting
import Testing

/// Many requests at once, and the session that ends in their middle.
@Suite("A crowd at the gateway door", .timeLimit(.minutes(20)), .serialized)
struct CrowdTests {
  static let styles: [GatewayVariant] = [
    GatewayVariant(style: .ostiary, challenge: .negotiated, success: .originalResource),
    GatewayVariant(style: .webSEAL, challenge: .redirect, success: .page),
    GatewayVariant(style: .ltpa, challenge: .form, success: .originalResource),
    GatewayVariant(style: .classic, challenge: .unauthorizedForm, success: .inline),
  ]

  @Test(
    "G2, G3: 1,000 requests at once, and the session ends in their middle: a form each time, and all are answered",
    arguments: styles)
  func thousand(variant: GatewayVariant) async throws {
    try await crowd(of: 1000, variant)
  }

  @Test("G2, G3: the same with 100, for every challenge and success", arguments: GatewayVariant.all)
  func hundred(variant: GatewayVariant) async throws {
    try await crowd(of: 100, variant)
  }

  private func crowd(of size: Int, _ variant: GatewayVariant) async throws {
    try await GatewayServer.run(variant) { server in
      let ann = try server.client()
      // No client has signed in yet: each is challenged, or waits.
      let middle = Gate()
      let answered = Locked(0)
      try await withThrowingTaskGroup(of: Int?.self) { group in
        for number in 0..<size {
          group.addTask {
            // The second half goes while the first is being answered, and meets the end of the session.
            if number >= size / 2 { try await middle.pass() }
            let answer = try await ann.get("/jct/echo?n=\(number)")
            let count = answered.withLock { count in
              count += 1
              return count
            }
            if count == size / 4 {
              #expect(try await server.application.dropSessions(ofUserNamed: "ann") == 1)
              middle.open()
            }
            #expect(answer["user"] == "ann")
            return answer["query"]?.array?.first?["value"]?.string.flatMap { Int($0) }
          }
        }
        var numbers: [Int] = []
        for try await number in group { numbers.append(number ?? -1) }
        #expect(numbers.sorted() == Array(0..<size))
      }
      #expect(server.forms == 2)
      #expect(ann.signIns == 2)
    }
  }

  @Test("G2: a crowd that is given the wrong password hears so, of one form", arguments: GatewayVariant.each)
  func wrongPassword(variant: GatewayVariant) async throws {
    try await GatewayServer.run(variant) { server in
      // Who comes after the refusal is no part of the crowd, and would be asked anew.
      let isWhole = Gate()
      let begun = Locked(0)
      let ann = try server.client("not hers", holding: isWhole)
      let codes = await withTaskGroup(of: OstiaryError.Code?.self) { group in
        for number in 0..<100 {
          group.addTask {
            let count = begun.withLock { count in
              count += 1
              return count
            }
            if count == 100 { isWhole.open() }
            return await failure { try await ann.get("/jct/echo?n=\(number)") }?.code
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(codes == Array(repeating: .invalidCredentials, count: 100))
      #expect(server.forms == 1)
    }
  }
}
