import Foundation
import PMAuthentication
import PMBase
import Testing

@Suite("The vendor's declarations in Swift 5 mode")
struct Declarations5Tests {
  @Test("Bug-D01: the declarations of PMAuthentication compile in Swift 5 mode, and can be called")
  func authentication() async {
    let user = AuthenticationUser(URL(filePath: "/"))
    user.configure()
    let isLoggedIn = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
      user.authenticator.isLoggedIn { success, _, _ in continuation.resume(returning: success) }
    }
    #expect(!isLoggedIn)
  }
}
