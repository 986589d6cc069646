import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Pega door: SnapStart and pages", .timeLimit(.minutes(10)))
struct PegaSnapStartTests {
  private let password = TestServer.janesPassword
  private let servlet = "/prweb/PRServlet"

  /// What a page says it was asked for.
  private func told(_ answer: Answer) throws -> [String: JSONValue] {
    let block = try #require(
      answer.body.firstMatch(of: /<script type="application\/json" id="snapstart">(.*?)<\/script>/)?.1)
    return try JSONDecoder().decode([String: JSONValue].self, from: Data(block.utf8))
  }

  @Test(
    "SnapStart tells the decoded parameters and the operator",
    arguments: [
      "Action=createNewWork&FlowType=pyStartCase&InsClass=Uplu-UPlusDis-Work",
      "Action=openAssigment&InsHandle=ASSIGN-WORKLIST%20UPLUS%20A-1%21FLOW",
      "Action=openAssignment&InsHandle=%3C%2Fscript%3E",
      "Action=openWorkByHandle&InsHandle=%23%26%3D%2B%25", "Action=display&Harness=New&ClassName=%C3%A9%E6%97%A5",
      "Action=%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E&x=%E2%80%A8",
    ])
  func parameters(query: String) async throws {
    try await TestServer.runWithJane { server in
      let client = server.client()
      try await client.login("jdoe", password)
      let answer = try await client.get("\(servlet)?pyActivity=pyMobileSnapStart&\(query)&pyShowFullPortal=false")
      #expect(answer.status == 200)
      #expect(!answer.body.contains("<script>"))
      let told = try told(answer)
      #expect(told["operator"] == "jdoe")
      let parameters = told["parameters"]?.object ?? [:]
      #expect(parameters["pyShowFullPortal"] == "false")
      for pair in query.split(separator: "&") {
        let parts = pair.split(separator: "=").map { String($0).removingPercentEncoding ?? "" }
        #expect(parameters[parts[0]]?.string == parts[1])
      }
    }
  }

  @Test("SnapStart with a credential signs in, and never shows the password")
  func credential() async throws {
    try await TestServer.runWithJane { server in
      let client = server.client()
      let answer = try await client.get(
        "\(servlet)?pyActivity=pyMobileSnapStart&Action=createNewWork" + Client.queryCredential("jdoe", password))
      let told = try told(answer)
      #expect(told["operator"] == "jdoe")
      #expect(told["parameters"]?["Password"] == nil)
      #expect(told["parameters"]?["UserIdentifier"] == "jdoe")
      #expect(!answer.body.contains(Data(password.utf8).base64EncodedString()))
      #expect(try await client.whoAmI() == "jdoe")
    }
  }

  @Test("SnapStart without a session is the login form; its form signs in")
  func notSignedIn() async throws {
    try await TestServer.runWithJane { server in
      let client = server.client()
      let page = try await client.get("\(servlet)?pyActivity=pyMobileSnapStart&Action=createNewWork")
      #expect(page.status == 200)
      #expect(page.body.contains("id=\"credentialsForm\""))
      #expect(!page.body.contains("id=\"error\""))
      #expect(try await client.submit(page, "jdoe", password).status == 303)
    }
  }

  @Test("SnapStart with a wrong password is the login form with the error text")
  func wrongPassword() async throws {
    try await TestServer.runWithJane { server in
      let page = try await Pathways.snapStart.send(server.client(), "jdoe", "wrong")
      #expect(page.status == 200)
      #expect(page.body.contains("<div id=\"error\">The information you entered was not recognized.</div>"))
      #expect(page.body.contains("id=\"credentialsForm\""))
    }
  }

  @Test("The vendor's portal link with a credential shows the portal")
  func portalLink() async throws {
    try await TestServer.runWithJane { server in
      let answer = try await server.client().get(
        "/prweb/?pyActivity=Data-Portal.ShowDesktop" + Client.queryCredential("jdoe", password))
      #expect(answer.status == 200)
      #expect(answer.body.contains("<dd id=\"operatorID\">jdoe</dd>"))
    }
  }

  @Test("An activity that isn't known is 401 for strangers and 404 for users")
  func unknownActivity() async throws {
    try await TestServer.runWithJane { server in
      let client = server.client()
      #expect(try await client.get("\(servlet)?pyActivity=Whatever").status == 401)
      try await client.login("jdoe", password)
      #expect(try await client.get("\(servlet)?pyActivity=Whatever").status == 404)
    }
  }

  @Test("An app's own POST is answered as the session's user, or with the login form")
  func ownPost() async throws {
    try await TestServer.runWithJane { server in
      let client = server.client()
      let form = [("key1", "value1"), ("key2", "value2")]
      let stranger = try await client.post(servlet + "/x*/!STANDARD", form: form)
      #expect(stranger.body.contains("id=\"credentialsForm\""))
      let login = form + [("UserIdentifier", "jdoe"), ("Password", password), ("pyActivity", "Code-Security.Login")]
      let signedIn = try await client.post(servlet, form: login)
      #expect(signedIn.status == 303)
      let user = try await client.post(servlet + "/x*/!STANDARD", form: form)
      #expect(user.body.contains("Jane Doe"))
    }
  }
}

@Suite("Pega door: API", .timeLimit(.minutes(10)))
struct PegaAPITests {
  private let password = TestServer.janesPassword

  @Test("The API answers cookies and Basic alike, and begins no session")
  func bothProofs() async throws {
    try await TestServer.runWithJane { server in
      let client = server.client()
      for path in ["/prweb/api/v1/authenticate", "/prweb/api/v1/cases"] {
        let basic = try await server.client().get(path, headers: Client.basic("jdoe", password))
        #expect(basic.status == 200)
        #expect(basic.json["operator"] == "jdoe")
        #expect(basic.header("Set-Cookie") == nil)
        try await client.login("jdoe", password)
        let cookies = try await client.get(path)
        #expect(cookies.json == basic.json)
      }
    }
  }

  @Test("Without proof, or with a wrong one, the API is 401 with a JSON body", arguments: [nil, "wrong"])
  func unauthorized(password: String?) async throws {
    try await TestServer.runWithJane { server in
      let headers = password.map { Client.basic("jdoe", $0) } ?? [:]
      let answer = try await server.client().get("/prweb/api/v1/cases", headers: headers)
      #expect(answer.status == 401)
      #expect(answer.header("WWW-Authenticate") == "Basic realm=\"Pega 7\"")
      #expect(answer.header("Content-Type") == "application/json")
      #expect(answer.json["errors"]?.array?.first?["ID"] == "Unauthorized")
    }
  }

  @Test("A guest's cookies don't open the API")
  func guest() async throws {
    try await TestServer.runWithJane { server in
      let client = server.client()
      try await client.get("/prweb/PRServlet")
      #expect(try await client.get("/prweb/api/v1/cases").status == 401)
    }
  }

  @Test("A created case is echoed with a number of its own, so that a replay is seen")
  func create() async throws {
    try await TestServer.runWithJane { server in
      let client = server.client()
      try await client.login("jdoe", password)
      let first = try await client.send("POST", "/prweb/api/v1/cases", body: "{\"a\":[1,true,null,\"é\"]}")
      #expect(first.status == 201)
      #expect(first.json["ID"] == "UPLUS-C-1")
      #expect(first.json["createdBy"] == "jdoe")
      #expect(first.json["content"] == .object(["a": .array([1, true, .null, "é"])]))
      let second = try await client.send("POST", "/prweb/api/v1/cases", body: "not json <x>")
      #expect(second.json["ID"] == "UPLUS-C-2")
      #expect(second.json["content"] == "not json <x>")
      // JSON is read 128 deep.
      for depth in [256, 100_000] {
        let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let third = try await client.send("POST", "/prweb/api/v1/cases", body: deep)
        #expect(third.status == 201)
        #expect(third.json["content"] == .string(deep))
      }
      let wide = "[" + Array(repeating: "{}", count: 5000).joined(separator: ",") + "]"
      let fourth = try await client.send("POST", "/prweb/api/v1/cases", body: wide)
      #expect(fourth.status == 201)
      #expect(JSONValue(json: Data(fourth.body.utf8))?["content"]?.array?.count == 5000)
    }
  }

  @Test(
    "CK-04: another site's page can't create a case with the user's cookies", arguments: ["cross-site", "same-site"])
  func crossSite(site: String) async throws {
    try await TestServer.runWithJane { server in
      let client = server.client()
      try await client.login("jdoe", password)
      let forged = try await client.send("POST", "/prweb/api/v1/cases", headers: ["Sec-Fetch-Site": site], body: "{}")
      #expect(forged.status == 403)
      let own = try await client.send(
        "POST", "/prweb/api/v1/cases", headers: ["Sec-Fetch-Site": "same-origin"], body: "{}")
      #expect(own.json["ID"] == "UPLUS-C-1")
    }
  }
}
