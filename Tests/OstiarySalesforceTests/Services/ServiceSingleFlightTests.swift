import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiarySalesforce
import OstiaryTesting
import TestSupport
import Testing

/// A thousand calls that are in flight when the token dies.
@Suite("One flight for a service", .serialized, .timeLimit(.minutes(20)))
struct ServiceSingleFlightTests {
  private static let calls = 1_000
  private static let repetitions = Storm.size(5, full: 100)
  /// Of what is a matter of rules more than of luck.
  private static let fewer = Storm.size(3, full: 20)

  /// Lets go of all calls at once, with a token that has just died.
  private func storm(
    _ stub: SalesforceStub, _ send: @escaping @Sendable (SalesforceCall) async throws -> TransportResponse
  ) async throws -> (served: Int, failures: [OstiaryError.Code: Int]) {
    let gate = Gate()
    return try await withThrowingTaskGroup(of: OstiaryError.Code?.self) { group in
      for number in 0..<Self.calls {
        let isPost = number.isMultiple(of: 2)
        group.addTask {
          try await gate.pass()
          do {
            let call =
              try isPost
              ? SalesforceCall.post(SalesforceStub.cases, json: .object(["Subject": .string("\(number)")]))
              : .get(SalesforceStub.cases)
            let response = try await send(call)
            return response.status.code < 300 ? nil : .unexpectedResponse
          } catch let error as OstiaryError {
            return error.code
          }
        }
      }
      try await gate.waitForWaiting(Self.calls)
      stub.dropAccessTokens()
      gate.open()
      var served = 0
      var failures: [OstiaryError.Code: Int] = [:]
      for try await code in group {
        if let code { failures[code, default: 0] += 1 } else { served += 1 }
      }
      return (served, failures)
    }
  }

  private func expectCasesOnce(_ stub: SalesforceStub, count: Int) {
    let cases = stub.state.withLock { $0.cases }
    #expect(cases.count == count)
    #expect(cases.values.allSatisfy { $0.count == 1 })
  }

  @Test("Done 3: 1,000 calls when the token dies are one renewal, and every one is served once")
  func renewal() async throws {
    for repetition in 0..<Self.repetitions {
      let stub = SalesforceStub(rotates: true)
      let app = App([])
      let service = stub.service(app.handlers)
      try await service.set(try stub.settings(refreshToken: true))
      let (served, failures) = try await storm(stub) { try await service.send($0) }
      #expect(served == Self.calls, "\(repetition): \(failures)")
      #expect(stub.state.withLock { $0.refreshes } == 1)
      #expect(app.told == [])
      expectCasesOnce(stub, count: Self.calls / 2)
    }
  }

  @Test("Done 3: without a refresh token they are one question, and every one is served once")
  func question() async throws {
    for repetition in 0..<Self.repetitions {
      let stub = SalesforceStub()
      let app = App([
        { reply in
          reply(try? stub.settings())
          return true
        }
      ])
      let service = stub.service(app.handlers)
      try await service.set(try stub.settings())
      let (served, failures) = try await storm(stub) { try await service.send($0) }
      #expect(served == Self.calls, "\(repetition): \(failures)")
      #expect(app.told == ["failed cases salesforce_session_invalid", "should cases"])
      expectCasesOnce(stub, count: Self.calls / 2)
    }
  }

  @Test("Done 3: when the app goes on as a guest, every one fails with the reason, and none is sent in a guest's name")
  func guest() async throws {
    for _ in 0..<Self.fewer {
      let stub = SalesforceStub()
      let app = App(askAgain: false, [])
      let service = stub.service(app.handlers)
      try await service.set(try stub.settings())
      let (served, failures) = try await storm(stub) { try await service.send($0) }
      #expect(served == 0)
      // Those that came after the decision were a guest's from the start.
      let total = failures[.salesforceSessionInvalid, default: 0] + failures[.salesforceGuestHasNoSite, default: 0]
      #expect(total == Self.calls, "\(failures)")
      #expect(app.told == ["failed cases salesforce_session_invalid"])
      expectCasesOnce(stub, count: 0)
    }
  }

  @Test("Done 3: when another user takes over in the middle, nothing of the first is done in the second's name")
  func switching() async throws {
    for _ in 0..<Self.fewer {
      let stub = SalesforceStub(rotates: true)
      let service = stub.service()
      try await service.set(try stub.settings(refreshToken: true))
      let bob = try stub.settings(.bob, refreshToken: true)
      let names = Locked<[String: String]>([:])
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<Self.calls {
          group.addTask {
            let before = service.connection?.identity?.userID.id15
            let call = try SalesforceCall.post(
              SalesforceStub.cases, json: .object(["Subject": .string("\(number)")]))
            if number == Self.calls / 4 { stub.dropAccessTokens() }
            if number == Self.calls / 2 { try await service.set(bob) }
            _ = await failure { try await service.send(call) }
            let after = service.connection?.identity?.userID.id15
            if let before, before == after { names.withLock { $0["\(number)"] = before } }
          }
        }
        try await group.waitForAll()
      }
      let cases = stub.state.withLock { $0.cases }
      #expect(cases.values.allSatisfy { $0.count == 1 })
      for (subject, name) in names.withLock({ $0 }) {
        guard let person = cases[subject]?.first.flatMap({ $0 }) else { continue }
        #expect(person.id == name, "\(subject)")
      }
      #expect(service.settings?.tokens == bob.tokens)
    }
  }
}
