import Foundation
import IBMMobileFirstPlatformFoundation
import TestSupport
import Testing

@testable import MobileFirstMigration

extension VendorSamplesTests {
  @Test("Bug-D04 migration: the app of the article signs in after a wrong password, gets its balance and signs out")
  func migration() async throws {
    let gateway = try MobileFirstGateway { $0.manner = .redirect }
    let controller = AccountController()
    var shown: [String] = []
    var passwords = ["wrong", MobileFirstGateway.password]
    controller.show = { shown.append($0) }
    controller.askForPassword = { passwords.isEmpty ? nil : passwords.removeFirst() }
    controller.username = "fred"
    controller.viewDidLoad(server: gateway.server.url("/mfp"))
    defer { controller.viewWillDisappear() }
    await withCheckedContinuation { done in controller.connect { done.resume() } }
    await withCheckedContinuation { done in controller.getBalance { done.resume() } }
    await withCheckedContinuation { done in controller.logout { done.resume() } }
    #expect(
      shown == [
        "Connected", #"Balance: {"target":"/mfp/api/adapters/ResourceAdapter/balance"}"#, "Logged out",
      ])
    #expect(gateway.logins == 1 && gateway.refusals == 1)
    #expect(gateway.server.requests.last?.path == "/pkmslogout")
    // No user types a password any more.
    await withCheckedContinuation { done in controller.getBalance { done.resume() } }
    #expect(shown.last == "Error: Challenge handler operation was cancelled.")
  }
}
