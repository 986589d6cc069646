import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryNewzulu
import OstiaryTesting
import TestSupport
import Testing

@Suite("Requests in a Newzulu user's name")
struct RequestTests {
  @Test("Newzulu-N7: requests sign in by themselves, once for twenty of them")
  func onDemand() async throws {
    let stub = NewzuluStub()
    let client = try stub.ann()
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<20 { group.addTask { try await client.getLoggedInUser().id } }
      for try await id in group { #expect(id == "11") }
    }
    #expect(stub.logins == 1)
    #expect(stub.calls("users.getLoggedInUser").count == 20)
  }

  @Test("Newzulu-N8: an expired session is one login and one replay, for all who meet it", arguments: [true, false])
  func expired(_ hasNumbers: Bool) async throws {
    let stub = NewzuluStub()
    stub.spell { spelling in
      spelling.hasFailureNumbers = hasNumbers
      spelling.hasTextInResult = !hasNumbers
    }
    let client = try stub.ann()
    _ = try await client.getLoggedInUser()
    stub.dropSessions()
    let gate = Gate()
    stub.transport.inject(.hold(gate), into: services, at: .first(20))
    let callers = (0..<20).map { _ in Task { try await client.getLoggedInUser().id } }
    try await gate.waitForWaiting(20)
    gate.open()
    for caller in callers { #expect(try await caller.value == "11") }
    #expect(stub.logins == 2)
    #expect(stub.calls("users.getLoggedInUser").count == 1 + 20 + 20)
  }

  @Test("Newzulu-N8: a call that is not idempotent is replayed, too: it was not carried out")
  func replayed() async throws {
    let stub = NewzuluStub()
    let client = try stub.ann()
    try await client.authenticate()
    stub.dropSessions()
    let file = try await client.startUpload(NewzuluUpload(data: bytes(5), filename: "a.txt", title: "A"))
    #expect(stub.content(ofFile: file.id) == bytes(5))
    #expect(stub.calls("media.createMultiPartUpload").count == 2)
    #expect(stub.logins == 2)
  }

  @Test("Newzulu-N8: refused again with a new session, the request fails and nobody is signed out for good")
  func refusedAgain() async throws {
    let stub = NewzuluStub()
    let client = try stub.ann()
    stub.intercept { request in
      String(decoding: request.body ?? Data(), as: UTF8.self).contains("getLoggedInUser")
        ? response("{\"status\":false,\"message\":\"Invalid session token\"}") : nil
    }
    #expect(await failure { try await client.getLoggedInUser() }?.code == .challengedAgain)
    #expect(stub.logins == 2)
    stub.intercept(nil)
    #expect(try await client.getLoggedInUser().id == "11")
  }

  @Test("Newzulu-N8: a password that no longer is the user's ends it")
  func changedPassword() async throws {
    let stub = NewzuluStub()
    let client = try stub.ann()
    try await client.authenticate()
    stub.setAccounts { $0[0].password = "changed" }
    stub.dropSessions()
    #expect(await failure { try await client.getLoggedInUser() }?.code == .invalidCredentials)
    #expect(client.currentSession == nil)
    #expect(client.history.last { $0.kind == .signedOut }?.cause == .credentialRefused)
    // Once is enough: the account must not be locked by repeating it.
    let logins = stub.calls("users.confirmCredentials").count
    #expect(await failure { try await client.getLoggedInUser() }?.code == .invalidCredentials)
    #expect(stub.calls("users.confirmCredentials").count == logins)
  }

  @Test(
    "Invariant 3: a failure that is not about the session ends none",
    arguments: [
      Fault.refuseConnection, .dropAfterServerActed, .status(.internalServerError), .status(.unauthorized),
      .status(.forbidden), .status(.tooManyRequests), .page("<h1>Log in</h1>"), .garbage, .truncate(at: 3),
      .redirect(to: "https://portal.example/"),
      .respond(response("{\"status\":false,\"message\":\"Permission denied\",\"code\":101}")),
    ])
  func unrelated(_ fault: Fault) async throws {
    let stub = NewzuluStub()
    let client = try stub.ann()
    let session = try await client.authenticate()
    stub.transport.inject(fault)
    #expect(await failure { try await client.getLoggedInUser() } != nil)
    #expect(client.currentSession == session)
    stub.transport.setFaults()
    #expect(try await client.getLoggedInUser().id == "11")
    #expect(stub.logins == 1)
  }

  @Test("Newzulu-N12: a server that spells identifiers as numbers, and leaves names out, is understood")
  func numericIDs() async throws {
    for missing in [JSONValue?.none, .null, ""] {
      let stub = NewzuluStub()
      stub.spell { spelling in
        spelling.hasNumericIDs = true
        spelling.missingName = missing
      }
      let client = try stub.client()
      client.setCredentials(email: "ben@example.com", password: "banana")
      #expect(try await client.authenticate().user.id == "12")
      #expect(client.currentUser?.firstName == nil)
      let file = try await client.startUpload(NewzuluUpload(data: bytes(7), filename: "a.jpg", title: "A"))
      #expect(stub.content(ofFile: file.id) == bytes(7))
    }
  }

  @Test("Newzulu-N13: the user's tenant is for the login, the project's for everything else")
  func tenants() async throws {
    let stub = NewzuluStub()
    let client = try stub.client()
    client.setCredentials(email: "ann@example.com", password: "avocado", userVHost: "1281")
    _ = try await client.getFiles()
    #expect(client.currentUser?.id == "21")
    #expect(stub.calls("users.confirmCredentials").map { $0.arguments["vhost"] } == ["1281"])
    #expect(stub.calls("media.getFiles").map { $0.arguments["vhost"] } == ["206"])
  }

  @Test("NS4: the same address in two tenants is two accounts")
  func sameAddress() async throws {
    let stub = NewzuluStub()
    let client = try stub.client()
    client.setCredentials(email: "ann@example.com", password: "apple", userVHost: "1281")
    #expect(await failure { try await client.authenticate() }?.code == .invalidCredentials)
    client.setCredentials(email: "ann@example.com", password: "apple", userVHost: "206")
    #expect(try await client.authenticate().user.id == "11")
  }

  @Test("NS5: an invalid key is refused, and is no word about the user")
  func badKey() async throws {
    let stub = NewzuluStub()
    let client = try stub.client(key: "00000000000000000000000000000000")
    client.setCredentials(email: "ann@example.com", password: "apple")
    let error = await failure { try await client.getFiles() }
    #expect(error?.code == .newzuluRefused)
    #expect((error?.underlying as? NewzuluRefusal)?.number == 100)
  }

  @Test("NS6: method names are the same in any case")
  func methodCase() async throws {
    let stub = NewzuluStub()
    let client = try stub.ann()
    for method in ["users.getLoggedInUser", "Users.GetLoggedInUser", "USERS.GETLOGGEDINUSER"] {
      #expect(try await client.call(method)["id"]?.string == "11")
    }
  }

  @Test("Newzulu-N14: a call in the user's name without credentials is not sent")
  func noCredentials() async throws {
    let stub = NewzuluStub()
    let client = try stub.client()
    #expect(await failure { try await client.getLoggedInUser() }?.code == .interactionRequired)
    let upload = NewzuluUpload(data: bytes(5), filename: "a.jpg", title: "A")
    #expect(await failure { try await client.startUpload(upload) }?.code == .interactionRequired)
    #expect(stub.transport.count == 0)
  }

  @Test("The token stays at the platform: never in a field, never in an address")
  func placement() async throws {
    let stub = NewzuluStub()
    let client = try stub.ann()
    let token = try #require(try await client.authenticate().proof.tokens["sessiontoken"]).reveal()
    _ = try await client.startUpload(NewzuluUpload(data: bytes(9), filename: "a.jpg", title: "A"))
    for request in stub.transport.requests {
      #expect(!request.head.headerFields.contains { $0.value.contains(token) })
      #expect(request.head.path?.contains(token) == false)
      #expect(request.head.headerFields[.cookie] == nil && request.head.headerFields[.authorization] == nil)
      if request.head.method == .put {
        #expect(request.body == bytes(9))
        #expect(Set(request.head.headerFields.map(\.name.canonicalName)) == ["content-type"])
      }
    }
    #expect(stub.calls("media.createMultiPartUpload").first?.arguments["sessiontoken"] == .string(token))
  }

  @Test(
    "Invariant 11: a redirect is followed nowhere, be it to another server or to the same", arguments: [302, 307, 308])
  func redirected(_ status: Int) async throws {
    for location in ["http://evil.test/services/json", "/services/json?again"] {
      let stub = NewzuluStub()
      let client = try stub.ann()
      let session = try await client.authenticate()
      stub.transport.inject(.redirect(to: location, status: .init(code: status)))
      #expect(await failure { try await client.getLoggedInUser() }?.code == .unexpectedResponse)
      #expect(await failure { try await client.getFiles(as: .app) }?.code == .unexpectedResponse)
      #expect(stub.transport.count == 3)
      #expect(client.currentSession == session)
    }
  }
}
