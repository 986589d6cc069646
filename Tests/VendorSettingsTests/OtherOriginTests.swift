import Dispatch
import Foundation
import IBMMobileFirstPlatformFoundation
import NewzuluPlatform
import Ostiary
import OstiaryNewzulu
import OstiaryPega
import OstiaryTesting
import PMAuthentication
import SalesforceSDKCore
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// How an app of a vendor's signs in, with a server in its code and a file of settings.
struct SigningIn: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// Signs in, and gives what went wrong.
  let run: @Sendable (_ home: URL, _ file: URL) async throws -> String?
  /// The settings that name a server.
  let settings: @Sendable (_ elsewhere: URL) -> String

  static let all = [pega, newzulu, salesforce, mobileFirst]

  private static let pega = SigningIn(testDescription: "Pega") { home, file in
    let cookies = HTTPCookieStorage.sharedCookieStorage(forGroupContainerIdentifier: UUID().uuidString)
    let environment = PegaEnvironment(
      transport: PlatformTransport(), cookies: SharedCookies(cookies),
      settings: .success(try PegaSettings(contentsOf: file)))
    let authenticator = PMPegaAuthenticator(serverURL: home, environment: environment)
    return await withCheckedContinuation { continuation in
      authenticator.logIn(withUsername: "ann", password: "s3cret") { _, error in
        continuation.resume(returning: error?.localizedDescription)
      }
    }
  } settings: {
    #"{"server":"\#($0.absoluteString)prweb"}"#
  }

  private static let newzulu = SigningIn(testDescription: "Newzulu") { home, file in
    var environment = NewzuluEnvironment()
    environment.platform = .success(try NewzuluPlatformConfiguration(contentsOf: file))
    let client = NewzuluEnvironment.$replacement.withValue(environment) {
      PlatformClient(apiKey: "key", vhost: "206", baseURL: home)
    }
    client.completionQueue = DispatchQueue(label: "completions")
    client.setCredentials(email: "ann@example.com", password: "s3cret")
    return await withCheckedContinuation { continuation in
      client.authenticate { _ in
        continuation.resume(returning: nil)
      } onError: { error in
        continuation.resume(returning: (error.underlyingError as? OstiaryError)?.message ?? "\(error)")
      }
    }
  } settings: {
    #"{"server":"\#($0.absoluteString)"}"#
  }

  private static let salesforce = SigningIn(testDescription: "Salesforce") { home, file in
    let settings = try SalesforceSDKSettings(contentsOf: file)
    var environment = SFEnvironment(transport: PlatformTransport(), store: { EphemeralStore() })
    environment.settings = { [settings] in .success(settings) }
    let manager = SFUserAccountManager(environment: environment)
    manager.oauthClientId = "key"
    manager.loginHost = home.absoluteString
    // Tokens that a browser brought: who their user is, and their renewal, is asked for where they are from.
    manager.authorizationFlow = OrgStub.flow([
      "access_token": "s3cret", "refresh_token": "s3cret", "instance_url": home.absoluteString,
      "id": "\(home.absoluteString)id/\(OrgStub.orgID)/\(OrgStub.annID)",
    ])
    return await withCheckedContinuation { continuation in
      manager.login { _, account in
        // The server is asked now.
        manager.refreshCredentials(account.credentials) { _, _ in
          continuation.resume(returning: nil)
        } failure: { _, error in
          continuation.resume(returning: error.localizedDescription)
        }
      } failure: { _, error in
        continuation.resume(returning: error.localizedDescription)
      }
    }
  } settings: {
    #"{"loginHost":"\#($0.absoluteString)"}"#
  }

  private static let mobileFirst = SigningIn(testDescription: "MobileFirst") { home, file in
    var environment = WLEnvironment(transport: PlatformTransport(), serverURL: home.appending(path: "mfp"))
    environment.gateway = .success(try MobileFirstGatewayConfiguration(contentsOf: file))
    let manager = WLAuthorizationManager(client: WLClient(environment: environment))
    return await withCheckedContinuation { continuation in
      manager.login("gateway", withCredentials: ["username": "ann", "password": "s3cret"]) { error in
        continuation.resume(returning: error?.localizedDescription)
      }
    }
  } settings: {
    #"{"server":"\#($0.absoluteString)mfp","allowingInsecureHTTPForPasswords":true}"#
  }
}

@Suite("A file of settings that points to another origin", .timeLimit(.minutes(10)))
struct OtherOriginTests {
  /// A page whose form leads wherever the page is.
  private static let form = """
    <form action="/pkmslogin.form" method="post"><input name="username"><input type="password" name="password"></form>
    """

  @Test(
    "Bug-D02 settings: the password and the tokens stay at the server of the app's code; the other one hears nothing",
    arguments: SigningIn.all)
  func staysHome(_ app: SigningIn) async throws {
    let html = [("Content-Type", "text/html")]
    let home = try LoopbackServer { _ in [.response(200, html, body: Self.form)] }
    defer { home.stop() }
    let elsewhere = try LoopbackServer { _ in [.response(200, html, body: Self.form)] }
    defer { elsewhere.stop() }
    try await withTemporaryFolder { folder in
      let file = folder.appending(path: "acme.json")
      try Data(app.settings(elsewhere.url()).utf8).write(to: file)
      let problem = try await app.run(home.url(), file)
      #expect(elsewhere.requests.isEmpty && problem?.contains("s3cret") != true, "\(problem ?? "")")
      // With its own server in the file, the app asks it.
      try Data(app.settings(home.url()).utf8).write(to: file)
      _ = try await app.run(home.url(), file)
      #expect(!home.requests.isEmpty)
    }
  }
}
