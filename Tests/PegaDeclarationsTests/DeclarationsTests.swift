import Foundation
import OstiaryTesting
import PMAuthentication
import PMBase
import TestSupport
import Testing

@Suite("The vendor's declarations in Swift 6 mode")
struct DeclarationsTests {
  /// An address that no server has.
  let url = URL(filePath: "/")

  @Test("Bug-D01: the declarations of PMAuthentication compile, and every call is told of an address that is none")
  func authentication() async {
    let user = AuthenticationUser(url)
    user.configure()
    let code = await withCheckedContinuation { continuation in
      user.logIn("jdoe", "secret") { continuation.resume(returning: $0) }
    }
    #expect(code == PMAuthenticationErrorInvalidInputData)
    let error = await #expect(throws: NSError.self) { try await user.asynchronously() }
    #expect(error.map(user.name) == "input")
  }

  @MainActor
  @Test("Bug-D03: the declarations of PMBase compile, and each action fails once")
  func snapStart() async throws {
    let user = SnapStartUser()
    user.start(url)
    try await waitUntil { user.events.filter { $0 == "fail" }.count == 5 }
    #expect(user.events.count == 10)
    #expect(ApplicationUser().launch(NSObject(), nil))
  }
}
