import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Newzulu door: hostile input, and secrets", .timeLimit(.minutes(10)))
struct NewzuluHostileTests {
  @Test(
    "What is no call is refused, whatever it is",
    arguments: [
      ("", "application/json", 400), ("garbage", "application/json", 400), ("<html></html>", "application/json", 400),
      ("[]", "application/json", 400), ("\"x\"", "application/json", 400), ("{\"method\":", "application/json", 400),
      (String(repeating: "[", count: 100_000), "application/json", 400),
      (
        "{\"a\":" + String(repeating: "[", count: 20) + String(repeating: "]", count: 20) + "}", "application/json", 400
      ),
      ("{\"method\":\"" + String(repeating: "[", count: 50) + "\"}", "application/json", 200),
      ("{\"method\":{}}", "application/json", 200), ("a=%zz", "application/x-www-form-urlencoded", 400),
      ("a[=1", "application/x-www-form-urlencoded", 400),
      ("a[b]c=1", "application/x-www-form-urlencoded", 400), ("[a]=1", "application/x-www-form-urlencoded", 400),
      ("a[b][c][d][e]=1", "application/x-www-form-urlencoded", 200),
      ("a[b][c][d][e][f]=1", "application/x-www-form-urlencoded", 400),
      (String(repeating: "a=1&", count: 1001), "application/x-www-form-urlencoded", 400),
      (String(repeating: "a[]=1&", count: 999), "application/x-www-form-urlencoded", 200),
      ("{}", "text/plain", 415), ("{}", nil, 415), ("--x--", "multipart/form-data; boundary=x", 415),
      (String(repeating: "x", count: (1 << 20) + 1), "application/json", 413),
    ] as [(String, String?, Int)])
  func noCalls(body: String, type: String?, status: Int) async throws {
    try await NewzuluTester.run(addsUsers: false) { tester in
      let answer = try await tester.post(body, type: type)
      #expect(answer.status == status)
      if status == 200 { #expect(answer.code == 199) }
      if status == 400 { #expect(answer.code == 120) }
      if status == 415 { #expect(answer.header("Content-Type") == "text/plain; charset=utf-8") }
      #expect(answer.header("X-Content-Type-Options") == "nosniff")
      #expect(try await tester.server.client().get("/healthz").status == 200)
    }
  }

  @Test("Other methods are 405 and told which there are", arguments: ["GET", "PUT", "DELETE", "TRACE"])
  func otherMethods(method: String) async throws {
    try await NewzuluTester.run(addsUsers: false) { tester in
      let call = try await tester.server.client().send(method, "/services/json")
      #expect(call.status == 405)
      #expect(call.header("Allow") == "POST")
      if method != "PUT" {
        let part = try await tester.server.client().send(method, "/services/parts/x/1")
        #expect(part.status == 405)
        #expect(part.header("Allow") == "PUT")
      }
    }
  }

  @Test("Arguments of the wrong kind are failures, never surprises")
  func wrongKinds() async throws {
    try await NewzuluTester.run { tester in
      let token = try await tester.token()
      let values: [JSONValue] = [
        .null, true, 5, .number(1e300), .integer(.max), .integer(.min), "", "x", .array([]), .array([.null]),
        .object([:]), .object(["0": 1]), .string(String(repeating: "x", count: 5000)), "\u{0}",
      ]
      let names = [
        "vhost", "username", "password", "id", "email", "fileData", "userData", "parts", "filters", "fields", "sort",
        "start", "limit", "login", "returnUserInfo", "activate", "user",
      ]
      for method in NewzuluDoor.methods.keys.sorted() {
        for (index, value) in values.enumerated() {
          var arguments = Dictionary(uniqueKeysWithValues: names.map { ($0, value) })
          if index.isMultiple(of: 2) { arguments["vhost"] = "1281" }
          let answer = try await tester.call(method, arguments, key: NewzuluTester.developerKey, token: token)
          #expect([200, 429].contains(answer.status), "\(method) \(value)")
        }
      }
      #expect(try await tester.call("users.getLoggedInUser", token: token).result?["user"] == "jane")
    }
  }

  @Test(
    "PW-22: passwords, tokens and addresses are in no log, no journal, no foreign answer and no file",
    TestDatabase.forSQLite)
  func secretsStayHome() async throws {
    let folder = TemporaryFolder()
    let canary = "canary s3cret/é word"
    var secrets = [canary, Client.encode(canary)]
    let said = try await NewzuluTester.run({ $0.storage = .folder(folder.url) }) { tester in
      try await tester.server.identity.addUser(name: "cleo", tenant: "1281", password: Secret(canary))
      var said = ""
      for transport in NewzuluTester.Transport.allCases {
        let tester = tester.with(transport)
        let token = try await tester.token("cleo", canary)
        secrets.append(token)
        said += try await tester.confirm("nobody", canary).body
        said += try await tester.confirm("cleo", canary, login: false).body
        said += try await tester.call("users.getLoggedInUser", token: token).body
        said += try await tester.call(
          "users.register", ["vhost": "1281", "userData": .object(["user": "cleo", "password": .string(canary)])],
          key: NewzuluTester.developerKey
        ).body
        let upload = try await tester.upload(size: 5, token: token)
        let url = try #require(upload.urls[1])
        secrets.append(String(url.split(separator: "/")[4]))
        said += try await tester.put("hello", to: url).body
        said += try await tester.put("hello!", to: url).body
        said += try await tester.post("{\"method\":\"\(token)\",\"password\":\"\(canary)\"", type: "application/json")
          .body
      }
      try await tester.server.application.storage.close()
      said += try await tester.confirm("cleo", canary).body
      said += String(describing: tester.server.application.journal?.entries ?? [])
      return said + tester.server.logs.text
    }
    #expect(said.contains("authentication accepted"))
    #expect(said.contains("/services/parts/:secret/:part"))
    let stored = try folder.url.appendingPathComponent("ostiary.sqlite").contents()
    #expect(secrets.count == 6)
    for secret in secrets {
      #expect(!said.contains(secret))
      #expect(!stored.contains(text: secret))
    }
  }

  @Test("A call that is printed, dumped or reflected shows no argument")
  func silent() throws {
    let arguments = NewzuluArguments(["password": "canary"])
    var text = "\(arguments) \(String(reflecting: arguments))"
    dump(arguments, to: &text)
    dump(try #require(NewzuluToken(String(repeating: "canary", count: 10))), to: &text)
    dump(NewzuluKey("canary"), to: &text)
    #expect(!text.contains("canary"))
    #expect(text.contains("1 arguments"))
  }
}

extension URL {
  fileprivate func contents() throws -> Data { try Data(contentsOf: self) }
}
