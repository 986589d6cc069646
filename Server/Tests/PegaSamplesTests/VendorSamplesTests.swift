import Foundation
import OstiaryCore
import OstiaryServer
import PMAuthentication
import PMBase
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The samples use the process's shared cookies, so they run one after the other.
@Suite("The vendor page's samples against the Pega door", .serialized)
struct VendorSamplesTests {
  let sample = SampleViewController()

  /// Starts a server with the user `jdoe`, and clears the shared cookies before and after.
  func withServer(_ body: (_ address: String) async throws -> Void) async throws {
    clearCookies()
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.development = .insecureForTests
    let application = try OstiaryApplication(configuration)
    let address = try await application.start().origin.description + "/prweb"
    do {
      try await application.identity.addUser(name: "jdoe", password: "secret password")
      try await body(address)
    } catch {
      Issue.record(error)
    }
    await application.stop()
    clearCookies()
  }

  func clearCookies() {
    for cookie in HTTPCookieStorage.shared.cookies ?? [] { HTTPCookieStorage.shared.deleteCookie(cookie) }
  }

  func logIn(_ user: String = "jdoe", _ pass: String = "secret password") async -> ([String: Any]?, NSError?) {
    await withCheckedContinuation { continuation in
      sample.logIn(user, pass) { continuation.resume(returning: ($0, $1 as NSError?)) }
    }
  }

  func logOut() async -> NSError? {
    await withCheckedContinuation { continuation in
      sample.logOut { continuation.resume(returning: $0 as NSError?) }
    }
  }

  func checkStatus() async -> (Bool, [String: Any]?, NSError?) {
    await withCheckedContinuation { continuation in
      sample.checkStatus { continuation.resume(returning: ($0, $1, $2 as NSError?)) }
    }
  }

  @Test("Log in, check the status, log out, check again")
  func wholeStory() async throws {
    try await withServer { address in
      sample.obtain(address)
      let (json, error) = await logIn()
      #expect(error == nil)
      #expect(json?["accessGroup"] as? String == "Uplus:Users")
      #expect((json?["baseURL"] as? String)?.hasPrefix(address) == true)

      let (isSuccess, status, statusError) = await checkStatus()
      #expect(isSuccess)
      #expect(status?["operator"] as? String == "jdoe")
      #expect(statusError == nil)

      #expect(await logOut() == nil)
      let (isStill, gone, reason) = await checkStatus()
      #expect(!isStill)
      #expect(gone == nil)
      #expect(reason?.code == PMAuthenticationErrorInvalidCredentials)
      #expect(HTTPCookieStorage.shared.cookies?.contains { $0.name == "Pega-RULES" && !$0.value.isEmpty } != true)
    }
  }

  @Test("A wrong password is told by its code, a missing one without asking")
  func wrongPassword() async throws {
    try await withServer { address in
      sample.obtain(address)
      let (json, error) = await logIn("jdoe", "wrong")
      #expect(json == nil)
      #expect(error?.domain == PMAuthenticationErrorDomain)
      #expect(error?.code == PMAuthenticationErrorInvalidCredentials)
      #expect(await logIn("", "").1?.code == PMAuthenticationErrorInvalidInputData)
    }
  }

  @Test("A server before 7.2.1, with the page's spelling of the activity")
  func accessGroupDetails() async throws {
    try await withServer { address in
      sample.obtain(address)
      sample.authenticator.loginActivity = PMPegaAuthenticationLoginActivity.AccessGroupDetails
      let (json, _) = await logIn()
      #expect(json?["accessGroups"] as? [String] == ["Uplus:Users"])
      #expect(await logOut() == nil)
    }
  }

  @Test("A server that has gone is a network error")
  func network() async throws {
    try await withServer { address in sample.obtain(address) }
    #expect(await logIn().1?.code == PMAuthenticationErrorNetwork)
  }

  @Test("The page's own placeholder for an address is an error, not a crash")
  func placeholder() async throws {
    sample.obtain("http://host:port/path")
    #expect(await logIn().1?.code == PMAuthenticationErrorInvalidInputData)
  }

  /// Opens the login page as a browser would, so that the POST comes from a guest's session.
  func openLoginPage(_ address: String) async throws {
    let url = try #require(URL(string: address + "/PRServlet"))
    await withCheckedContinuation { continuation in
      URLSession.shared.dataTask(with: url) { _, _, _ in continuation.resume() }.resume()
    }
  }

  func post(_ address: String, _ body: String) async {
    await withCheckedContinuation { continuation in
      sample.onEnd = { continuation.resume() }
      sample.post(address, body)
    }
  }

  /// Shows a page of the server, as the sample does after its POST.
  func snapStart(_ address: String) async throws {
    let url = try #require(NSURL(string: address + "/PRServlet"))
    await withCheckedContinuation { continuation in
      sample.onEnd = { continuation.resume() }
      let snapStart = PMSnapStartViewController()
      snapStart.delegate = sample
      sample.presented = snapStart
      snapStart.performAction(PMCreateCaseAction(portalURL: url, flowType: "foo", insClass: "bar"))
    }
  }

  static let login = "pzAuth=guest&UserIdentifier=jdoe&Password=secret+password&pyActivity%3DCode-Security.Login="

  @Test("Pega-P12: authenticate with a POST request of one's own, then SnapStart with its cookies")
  func postAndSnapStart() async throws {
    try await withServer { address in
      try await openLoginPage(address)
      await post(address + "/PRServlet", Self.login)
      #expect(sample.events == ["start", "finish"])
      let text = try #require(await sample.presented?.page?.response.text)
      #expect(text.contains("\"operator\":\"jdoe\""))
      #expect(text.contains("\"FlowType\":\"foo\""))
      #expect(text.contains("\"InsClass\":\"bar\""))
      #expect(await sample.presented?.webViewName == "newCase")

      // The authenticator knows of it, too, and can end it.
      sample.obtain(address)
      #expect(await checkStatus().1?["operator"] as? String == "jdoe")
      #expect(await logOut() == nil)
      #expect(await checkStatus().0 == false)
    }
  }

  @Test("Pega-P12: a POST that signs nobody in looks like a success to the sample; SnapStart finds out")
  func postFails() async throws {
    try await withServer { address in
      try await openLoginPage(address)
      await post(address + "/PRServlet", Self.login.replacingOccurrences(of: "secret", with: "wrong"))
      #expect(sample.events == ["start", "fail \(PMAuthenticationErrorInvalidCredentials)"])
    }
  }

  @Test("After a login, the app's own requests carry the session, and SnapStart works")
  func logInThenSnapStart() async throws {
    try await withServer { address in
      sample.obtain(address)
      #expect(await logIn().1 == nil)
      let url = try #require(URL(string: address + "/api/v1/authenticate"))
      let status = await withCheckedContinuation { continuation in
        URLSession.shared.dataTask(with: url) { data, response, _ in
          continuation.resume(returning: (response as? HTTPURLResponse)?.statusCode)
        }.resume()
      }
      #expect(status == 200)

      try await snapStart(address)
      #expect(sample.events == ["start", "finish"])
      let text = try #require(await sample.presented?.page?.response.text)
      #expect(text.contains("\"operator\":\"jdoe\"") && text.contains("\"FlowType\":\"foo\""))

      #expect(await logOut() == nil)
      sample.events = []
      try await snapStart(address)
      #expect(sample.events == ["start", "fail \(PMAuthenticationErrorInvalidCredentials)"])
    }
  }
}
