import IBMMobileFirstPlatformFoundation

/// The challenge handler of a life: it lets the life decide.
final class HandlerOfLife: GatewayChallengeHandler {
  private weak let life: MobileFirstLife?

  nonisolated init(_ life: MobileFirstLife) {
    self.life = life
    super.init(name: "gateway")
  }

  nonisolated static func isChallenge(_ response: WLResponse?) -> Bool {
    response?.responseText?.contains("pkmslogin.form") ?? false
  }

  nonisolated override func canHandleResponse(_ response: WLResponse!) -> Bool { Self.isChallenge(response) }

  override func handleChallenge(_ response: WLResponse!) { life?.challenged(response) }

  override func onSuccess(_ response: WLResponse!) { life?.formEnded(response) }

  override func onFailure(_ response: WLFailResponse!) { life?.formEnded(response) }
}
