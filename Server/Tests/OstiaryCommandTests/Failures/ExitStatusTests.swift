import OstiaryCore
import Testing

@testable import OstiaryClientCommand

@Suite("Exit status")
struct ExitStatusTests {
  static let expected: [(OstiaryError.Code, Int32)] = [
    (.internalError, 1), (.invalidInput, 2), (.alreadySignedIn, 2), (.invalidRequest, 2),
    (.interactionRequired, 3), (.interactionCancelled, 3), (.signedOut, 3), (.invalidCredentials, 4),
    (.accountLocked, 4), (.cannotConnect, 5), (.hostNotFound, 5), (.connectionLost, 5), (.timedOut, 5),
    (.tlsFailed, 5), (.serverUnavailable, 6), (.unexpectedResponse, 6), (.challengedAgain, 6), (.replayUnsafe, 6),
    (.storeUnavailable, 7), (.storeCorrupt, 7), (.storeConflict, 7),
  ]

  @Test("Each failure has its number", arguments: expected)
  func numbers(code: OstiaryError.Code, status: Int32) {
    #expect(ExitStatus(OstiaryError(code, "")).rawValue == status)
  }

  @Test("A code that is unknown here goes by what it means")
  func unknown() {
    #expect(ExitStatus(OstiaryError(OstiaryError.Code("new"), "", disposition: .misuse)) == .usage)
    #expect(ExitStatus(OstiaryError(OstiaryError.Code("new"), "", disposition: .transient(retryAfter: nil))) == .server)
  }

  @Test("The table that help prints is complete and fits a terminal")
  func table() async throws {
    let outcome = try await Sandbox().run(["help", "exit-codes"])
    #expect(outcome.status == 0)
    for number in Set(Self.expected.map(\.1)).union([0, 130, 141]) {
      #expect(outcome.output.contains("\n  \(number) "), "\(number) is missing")
    }
    #expect(outcome.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }
}
