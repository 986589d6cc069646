import Foundation
import IBMMobileFirstPlatformFoundation
import OstiaryCore
import OstiaryServer
import OstiaryTesting
import Testing

extension VendorSamplesTests {
  /// What the app has in its file `mobilefirst-gateway.json`: the names of a style, and nothing else that it knows of the gateway.
  private static func file(_ style: GatewayStyle, at server: URL) throws -> Data {
    var values: [String: Any] =
      switch style {
      case .ostiary:
        [
          "formAction": "/gateway/login", "usernameField": "username", "passwordField": "password",
          "logout": "../../gateway/logout", "logoutIsForm": true,
        ]
      case .webSEAL: ["formAction": "pkmslogin.form"]
      case .ltpa:
        [
          "formAction": "j_security_check", "usernameField": "j_username", "passwordField": "j_password",
          "logout": "../../ibm_security_logout",
        ]
      case .classic:
        [
          "formAction": "apps/services/j_security_check", "usernameField": "j_username", "passwordField": "j_password",
          "logout": "../../apps/services/logout",
        ]
      }
    values["server"] = server.absoluteString
    values["sessionCheck"] = "adapters/who"
    values["usernameCredential"] = "benutzer"
    values["passwordCredential"] = "kennwort"
    values["allowingInsecureHTTPForPasswords"] = true
    return try JSONSerialization.data(withJSONObject: values)
  }

  private func login(_ password: String) async -> NSError? {
    await withCheckedContinuation { continuation in
      WLAuthorizationManager.sharedInstance().login(
        "any", withCredentials: ["benutzer": "fred", "kennwort": password],
        withCompletionHandler: { continuation.resume(returning: $0 as NSError?) })
    }
  }

  private func logout() async -> NSError? {
    await withCheckedContinuation { continuation in
      WLAuthorizationManager.sharedInstance().logout(
        "any", withCompletionHandler: { continuation.resume(returning: $0 as NSError?) })
    }
  }

  private func obtainAccessToken() async -> NSError? {
    await withCheckedContinuation { continuation in
      WLAuthorizationManager.sharedInstance().obtainAccessToken(
        forScope: "", withCompletionHandler: { continuation.resume(returning: $1 as NSError?) })
    }
  }

  @Test(
    "Bug-D04 configuration: an app without a handler, configured by its file alone: sign-in, requests, expiry, sign-out",
    arguments: Variant.all)
  func configured(_ variant: Variant) async throws {
    try await withGateway(variant) { gateway in
      let server = try #require(WLClient.sharedInstance().serverUrl())
      WLClient.sharedInstance().setServerUrl(nil)
      WLClient.sharedInstance().gatewayConfiguration = try MobileFirstGatewayConfiguration(
        json: Self.file(variant.style, at: server))
      defer { WLClient.sharedInstance().gatewayConfiguration = MobileFirstGatewayConfiguration() }
      #expect(WLClient.sharedInstance().serverUrl() == server)

      let code = (await getData("balance").1 as NSError?)?.userInfo[WLErrorCode.userInfoKey] as? String
      #expect(code == WLErrorCode.authorizationFailure)
      let wrong = try #require(await login("wrong"))
      #expect(wrong.code == WLClientErrorAuthenticationFailure && !wrong.localizedDescription.contains("wrong"))
      #expect(await login(Self.password) == nil)
      #expect(gateway.forms == 2)
      #expect(await getData("balance").0 == #"{"target":"/mfp/api/adapters/balance"}"#)
      #expect(await obtainAccessToken() == nil)

      #expect(try await gateway.server.dropSessions(ofUserNamed: "fred") == 1)
      #expect(await obtainAccessToken() != nil)
      #expect(await login(Self.password) == nil)
      #expect(await getData("again").0 == #"{"target":"/mfp/api/adapters/again"}"#)
      #expect(await logout() == nil)
      #expect(try await gateway.server.dropSessions(ofUserNamed: "fred") == 0)
      #expect(await getData("balance").1 != nil)
      #expect(gateway.served("/mfp/api/adapters/balance") == 1)
    }
  }
}
