import Foundation
import Ostiary
import OstiaryCore
import OstiaryTesting
import SalesforceSDKCore
import TestSupport
import Testing

/// The start of an app of the vendor's time.
@Suite("The start of an app", .timeLimit(.minutes(20)))
struct LaunchTests {
  /// Starts, and returns what the app's blocks hear first.
  private func launch(_ manager: SalesforceSDKManager) async -> String {
    let heard = await withCheckedContinuation { continuation in
      manager.postLaunchAction = { actions in
        continuation.resume(returning: SalesforceSDKManager.launchActionsStringRepresentation(actions))
      }
      manager.launchErrorAction = { error, _ in continuation.resume(returning: "failed: \(error)") }
      #expect(manager.launch())
    }
    (manager.postLaunchAction, manager.launchErrorAction) = (nil, nil)
    #expect(!manager.isLaunching)
    return heard
  }

  @Test("Bug-D05: a start logs a user in, finds them the next time, and hears of switches and of the last logout")
  func starts() async throws {
    try await ManagerStage.with { stage in
      let start = SalesforceSDKManager(accounts: stage.manager)
      let switches = Locked<[String]>([])
      start.switchUserAction = { old, new in
        switches.withLock { $0.append("\(old?.userName ?? "none") \(new?.userName ?? "none")") }
      }
      stage.manager.authorizationFlow = OrgStub.flow(stage.org.tokens(refreshable: true))
      #expect(await launch(start) == "authenticated")
      #expect(await launch(start) == "already authenticated")
      let ann = try #require(stage.manager.currentUser)
      await withCheckedContinuation { continuation in
        start.postLogoutAction = { continuation.resume() }
        stage.manager.logoutUser(ann)
      }
      #expect(switches.withLock { $0.count } == 1)
    }
  }

  @Test("Bug-D05: a start without a user asks nobody where bootconfig.plist says so, and tells what can't be read")
  func bypassed() async throws {
    try await ManagerStage.with { stage in
      let start = SalesforceSDKManager(accounts: stage.manager)
      start.appConfig = SFSDKAppConfig(dict: ["shouldAuthenticate": false])
      #expect(await launch(start) == "authentication bypassed")
      #expect(stage.org.log.isEmpty)
    }
    let stage = try ManagerStage { $0.settings = { .failure(OstiaryError(.invalidInput, "“host” is no setting.")) } }
    defer { stage.org.stop() }
    #expect(await launch(SalesforceSDKManager(accounts: stage.manager)).contains("“host” is no setting"))
  }
}
