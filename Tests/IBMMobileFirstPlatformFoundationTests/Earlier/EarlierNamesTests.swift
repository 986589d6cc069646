import Foundation
import HTTPTypes
import IBMMobileFirstPlatformFoundation
import Ostiary
import OstiaryTesting
import TestSupport
import Testing

/// A handler as apps of version 7.1 have it.
private class RealmHandler: IBMMobileFirstPlatformFoundation.ChallengeHandler {
  nonisolated let failures = Tally()
  nonisolated let challenges = Tally()

  override func isCustomResponse(_ response: WLResponse!) -> Bool {
    response != nil && response.responseText != nil && response.responseText.contains("j_security_check")
  }

  override func handleChallenge(_ response: WLResponse!) {
    challenges.add()
    submitLoginForm(
      "/j_security_check", requestParameters: ["j_username": "fred", "j_password": MobileFirstGateway.password],
      requestHeaders: nil, requestTimeoutInMilliSeconds: 600_000, requestMethod: "post")
  }

  override func onSuccess(_ response: WLResponse!) {
    isCustomResponse(response) ? submitFailure(response) : submitSuccess(response)
  }

  override func onFailure(_ response: WLFailResponse!) {
    failures.add()
    submitFailure(response)
  }
}

/// The same as Swift 3 imported the name.
private final class Swift3Handler: RealmHandler {
  override func isCustomResponse(_ response: WLResponse!) -> Bool { isCustom(response) }
  override func isCustom(_ response: WLResponse!) -> Bool {
    response.responseText?.contains("j_security_check") ?? false
  }
}

/// Counts what a delegate hears.
private final class Listener: WLDelegate {
  nonisolated let calls = Tally()
  nonisolated let heard = Locked<[String]>([])

  nonisolated init() {}

  func onSuccess(_ response: WLResponse!) {
    heard.withLock { $0.append("success \(response.status)") }
    calls.add()
  }

  func onFailure(_ response: WLFailResponse!) {
    heard.withLock { $0.append("\(response.errorCode ?? "") \(response.errorMsg ?? "")") }
    calls.add()
  }
}

@Suite("The names of version 7.1", .timeLimit(.minutes(20)))
struct EarlierNamesTests {
  private func gateway() throws -> MobileFirstGateway {
    try MobileFirstGateway {
      $0.action = "j_security_check"
      $0.userField = "j_username"
      $0.passwordField = "j_password"
    }
  }

  @Test(
    "Bug-D04 ChallengeHandler: isCustomResponse recognises, and the handler of a realm signs in",
    arguments: [false, true])
  func realm(_ isSwift3: Bool) async throws {
    let gateway = try gateway()
    let world = World(gateway)
    let handler = try #require(
      isSwift3 ? Swift3Handler(realm: "SampleAppRealm") : RealmHandler(realm: "SampleAppRealm"))
    world.client.registerChallengeHandler(handler)
    #expect(
      world.client.getChallengeHandler(byRealm: "SampleAppRealm") === handler && handler.realm == "SampleAppRealm")
    #expect(await world.fetch("a").status == 200)
    #expect(gateway.logins == 1 && handler.challenges.count == 1)
    #expect(IBMMobileFirstPlatformFoundation.ChallengeHandler(realm: "x")?.isCustomResponse(WLResponse()) == false)
  }

  @Test("Bug-D04 submitFailure: the waiting requests fail, as with cancel")
  func submitFailure() async throws {
    let world = World(try MobileFirstGateway())
    world.client.registerChallengeHandler(
      RecordingHandler(challenge: { handler, response in handler.submitFailure(response) }))
    #expect(await world.fetch("a").errorCode == WLErrorCode.challengeHandlingCanceled)
  }

  @Test(
    "Bug-D04 wlConnect: the handlers sign in, and the delegate hears once; login and logout of a realm are the gateway's"
  )
  func realms() async throws {
    let gateway = try gateway()
    let world = World(gateway)
    let handler = RealmHandler(realm: "SampleAppRealm")
    world.client.registerChallengeHandler(handler)
    world.client.initWLChallengeHandlers()
    let listener = Listener()
    world.client.wlConnect(with: listener)
    await listener.calls.wait()
    world.client.login("SampleAppRealm", with: listener)
    await listener.calls.wait(for: 2)
    world.client.obtainAccessToken(forScope: "", with: listener)
    await listener.calls.wait(for: 3)
    #expect(gateway.logins == 1)
    world.client.logout("SampleAppRealm", with: listener, options: ["timeout": 5000])
    await listener.calls.wait(for: 4)
    world.client.wlConnect(with: listener, options: ["timeout": 60_000])
    await listener.calls.wait(for: 5)
    #expect(listener.heard.withLock { $0 } == Array(repeating: "success 200", count: 5))
    #expect(gateway.logins == 2)
    world.client.wlConnect(with: nil)
  }

  @Test("Bug-D04 invokeProcedure: a procedure is not sent, and the delegate hears what to use instead")
  func procedures() async throws {
    let transport = scripted()
    let world = World(URL(string: "http://mfp.test/mfp"), transport: transport)
    let listener = Listener()
    let data = WLProcedureInvocationData(adapterName: "Bank", procedureName: "balance")
    data?.parameters = ["secret"]
    world.client.invokeProcedure(data, with: listener)
    await listener.calls.wait()
    let heard = try #require(listener.heard.withLock { $0.first })
    #expect(heard.hasPrefix("\(WLErrorCode.applicationNotRegistered) The procedure Bank/balance was not called"))
    let handler = RealmHandler(realm: "r")
    handler?.submitAdapterAuthentication(data, options: nil)
    await handler?.failures.wait()
    #expect(transport.count == 0 && data?.description.contains("secret") == false)
  }

  @Test("Bug-D04 tokens: what 7.1 calls scopes and authorization")
  func scopes() {
    let world = World(nil, transport: scripted())
    let field = #"Bearer error="insufficient_scope", scope="a b""#
    #expect(world.manager.authorizationScopeForResponse(withAuthorizationHeader: field) == "a b")
    #expect(world.manager.isAuthorizationRequiredForResponse(withStatus: 403, authorizationHeader: field))
    #expect(!world.manager.isAuthorizationRequiredForResponse(withStatus: 200, authorizationHeader: field))
    #expect(world.client.getRequiredAccessTokenScope(fromStatus: 403, authenticationHeader: field) == "a b")
    #expect(world.client.getRequiredAccessTokenScope(fromStatus: 200, authenticationHeader: field) == nil)
  }

  @Test("Bug-D04 services: the device's name needs the vendor's registration; the error says so")
  func registration() async {
    let world = World(nil, transport: scripted())
    let set = await withCheckedContinuation { continuation in
      world.client.setDeviceDisplayName("x") { continuation.resume(returning: Ending($0)) }
    }
    let get = await withCheckedContinuation { continuation in
      world.client.getDeviceDisplayName { _, error in continuation.resume(returning: Ending(error)) }
    }
    #expect(set.code == WLErrorCode.applicationNotRegistered && set == get && set.wasOnMainQueue)
    world.client.setHeartBeatInterval(420)
    world.client.setDeviceID("x")
  }

  @Test("Bug-D04 services: an app that pins a certificate gets no unpinned request, and the error says what to use")
  func pinning() async {
    let transport = scripted()
    let world = World(URL(string: "https://mfp.test/mfp"), transport: transport)
    world.client.pinTrustedCertificatePublicKey(fromFile: "cert.der")
    let answer = await world.fetch("a")
    #expect(answer.errorCode == WLErrorCode.illegalArgument && answer.message?.contains("pins a certificate") == true)
    #expect(!(await world.login(["username": "a", "password": "b"]).isSuccess))
    let answers = Tally()
    let handler = RecordingHandler(success: { _, _ in answers.add() }, failure: { _, _ in answers.add() })
    world.client.registerChallengeHandler(handler)
    handler.logIn()
    await answers.wait()
    #expect(handler.failures.count == 1 && transport.count == 0)
  }

  @Test("Bug-D04 WLClient: another object is the process's client, too")
  func anotherClient() {
    let before = WLClient.sharedInstance().getGlobalHeaders()["X-Another"] as? String
    #expect(before == nil)
    WLClient().addGlobalHeader("X-Another", headerValue: "1")
    #expect(WLClient.sharedInstance().getGlobalHeaders()["X-Another"] as? String == "1")
    WLClient.sharedInstance().removeGlobalHeader("X-Another")
    #expect(WLClient().getGlobalHeaders()["X-Another"] == nil)
  }
}
