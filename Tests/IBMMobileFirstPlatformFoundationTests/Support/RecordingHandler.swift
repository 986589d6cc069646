import Foundation
import IBMMobileFirstPlatformFoundation
import OstiaryCore
import TestSupport

/// A handler that does what a test says, and counts what it is asked.
final class RecordingHandler: GatewayChallengeHandler {
  typealias Answer = @MainActor @Sendable (RecordingHandler, WLResponse) -> Void
  typealias Failure = @MainActor @Sendable (RecordingHandler, WLFailResponse) -> Void

  nonisolated let looks = Tally()
  nonisolated let challenges = Tally()
  nonisolated let successes = Tally()
  nonisolated let failures = Tally()
  nonisolated let end = Tally()
  private let marker: String
  private let challenge: Answer
  private let success: Answer
  private let failure: Failure

  /// Makes a handler of pages that have `marker` in them.
  nonisolated init(
    _ name: String = "gateway", marker: String = "pkmslogin.form",
    challenge: @escaping Answer = { handler, _ in handler.logIn() },
    success: @escaping Answer = { handler, response in
      handler.canHandleResponse(response) ? handler.cancel() : handler.submitSuccess(response)
    },
    failure: @escaping Failure = { handler, _ in handler.cancel() }
  ) {
    self.marker = marker
    self.challenge = challenge
    self.success = success
    self.failure = failure
    super.init(name: name)
  }

  deinit {
    end.add()
  }

  nonisolated override func canHandleResponse(_ response: WLResponse!) -> Bool {
    looks.add()
    return response.responseText?.contains(marker) ?? false
  }

  override func handleChallenge(_ response: WLResponse!) {
    challenges.add()
    challenge(self, response)
  }

  override func onSuccess(_ response: WLResponse!) {
    successes.add()
    success(self, response)
  }

  override func onFailure(_ response: WLFailResponse!) {
    failures.add()
    failure(self, response)
  }

  nonisolated func logIn(
    _ password: String = MobileFirstGateway.password, address: String = "../../pkmslogin.form?token=Unknown",
    timeout: Int32 = 0
  ) {
    submitLoginForm(
      address, requestParameters: ["username": "fred", "password": password, "login-form-type": "pwd"],
      requestHeaders: nil, requestTimeoutInMilliSeconds: timeout, requestMethod: "POST")
  }
}
