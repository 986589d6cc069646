import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand

@Suite("dialect new", .timeLimit(.minutes(20)))
struct DialectNewTests {
  private func curl(_ api: TokenAPI) -> String {
    let body = #"{"user":"ann","secret":"\#(TokenAPI.password)"}"#
    return
      "curl '\(api.address)/login' -H 'X-Project: planted-project' -H 'Content-Type: application/json' -d '\(body)'"
  }

  /// What it writes for the API of the house.
  private let options = ["--password-field", "secret", "--proof", "Authorization: Token", "--who", "/me"]

  @Test("DIALECT-C11: a curl line becomes a dialect with which the command signs in; no value of the exchange is in it")
  func fromCurl() async throws {
    let api = try TokenAPI()
    defer { api.stop() }
    let sandbox = try Sandbox()
    let made = await sandbox.run(
      ["dialect", "new", "--curl", "-o", "ours.json", "--name", "ours", "--renew", "/renew", "--end", "/logout"]
        + options,
      input: curl(api) + "\n")
    #expect(made.status == 0, "\(made.error)")
    #expect(made.error.contains("token: /token") && made.error.contains("X-Project became a setting"))
    #expect(made.error.contains("ostiary dialect try ours.json --server URL --user NAME --setting xProject=VALUE"))
    #expect(made.error.contains("identifier: /id of GET /me"))
    #expect(api.count("/login") == 1 && api.count("/me") == 1 && api.server.requests.count == 3)
    let text = try String(contentsOf: sandbox.folder.appending(path: "ours.json"), encoding: .utf8)
    #expect(!(text + made.output + made.error).contains("planted") && !text.contains("127.0.0.1"), "\(text)")
    let again = await sandbox.run(["dialect", "new", "--curl", "-o", "ours.json"] + options, input: curl(api))
    #expect(again.status == 2 && again.error.contains("There is a file"), "\(again.error)")
    #expect(api.count("/login") == 1)

    try TokenAPI.write(in: sandbox)
    let setting = ["--setting", "xProject=@project"]
    let walk = await sandbox.run(
      ["dialect", "try", "ours.json", "--server", api.address, "--user", "ann", "--request", "/orders"] + setting,
      answers: [TokenAPI.password])
    #expect(walk.status == 0, "\(walk.output) \(walk.error)")
    let signIn = await sandbox.run(api.login(setting, dialect: "ours.json"), answers: [TokenAPI.password])
    #expect(signIn.status == 0, "\(signIn.error)")
    #expect(await sandbox.run(["request", "/orders"]).output.contains("two orders"))
  }

  @Test("DIALECT-C12: a HAR file becomes a dialect without a request")
  func fromHAR() async throws {
    let sandbox = try Sandbox()
    let har = #"""
      {"log":{"entries":[
        {"request":{"method":"POST","url":"https://api.example/login","headers":[{"name":"Content-Type","value":"application/json"}],
          "postData":{"mimeType":"application/json","text":"{\"email\":\"planted@a.example\",\"password\":\"planted-1\"}"}},
         "response":{"status":200,"headers":[],"content":{"text":"{\"token\":\"planted-0123456789abcdef\",\"user\":{\"id\":7}}"}}},
        {"request":{"method":"GET","url":"https://api.example/me","headers":[{"name":"X-Auth","value":"planted-0123456789abcdef"}]},
         "response":{"status":200,"headers":[],"content":{"text":"{\"id\":7}"}}}]}}
      """#
    let made = await sandbox.run(["dialect", "new", "--har", "--name", "ours"], input: har)
    #expect(made.status == 0 && !(made.output + made.error).contains("planted"), "\(made)")
    let document = try made.json()
    #expect(document["proof"]?["headers"]?["X-Auth"] == "{token}")
    #expect(document["who"]?["path"] == "/me")
    #expect(await sandbox.run(["dialect", "check", "-"], input: made.output).status == 0)
  }

  @Test("DIALECT-C13: a person pastes a line or answers questions, and says which value is which")
  func interview() async throws {
    let api = try TokenAPI()
    defer { api.stop() }
    let sandbox = try Sandbox()
    let lines = curl(api).replacing(" -H", with: " \\\n  -H")
    // The token, the renewal token, its end, identifier, name; the proof; the setting; and no further calls.
    let pasted = await sandbox.run(
      ["dialect", "new", "--password-field", "secret"], conversation: ScriptedAnswers("\(lines)\n\n\n\n\n\nX-Token:\n"))
    #expect(pasted.status == 0, "\(pasted.error)")
    #expect(try pasted.json()["proof"]?["headers"]?["X-Token"] == "{token}")
    #expect(pasted.error.contains("1  /") && pasted.error.contains("Which one is the token?"), "\(pasted.error)")
    #expect(!pasted.error.contains("planted"), "\(pasted.error)")

    // A mistake is told, and the question is asked again.
    let mistyped = await sandbox.run(
      ["dialect", "new", "--password-field", "secret"],
      conversation: ScriptedAnswers("\(lines)\nx\n\n\n\n\n\nX-Token\nX-Token:\n\nme\n/me\n"))
    #expect(mistyped.status == 0 && mistyped.error.contains("“x” is no number"), "\(mistyped.error)")
    #expect(mistyped.error.contains("“me” is not a path") && mistyped.error.contains("“X-Token” is not a field"))

    let answers = "\(api.address)/login?open\nuser\nsecret\n\nann\n\(TokenAPI.password)\n"
    let typed = await sandbox.run(
      ["dialect", "new", "--password-field", "secret"], conversation: ScriptedAnswers(answers))
    #expect(typed.status == 0, "\(typed.error)")
    let body = try typed.json()["signIn"]?.array?.first?["body"]?["json"]
    #expect(body?["user"] == "{username}" && body?["secret"] == "{password}")
    #expect(!(typed.output + typed.error).contains("planted"), "\(typed.error)")
  }

  @Test("DIALECT-C14: wrong input is told with what to do, and nothing is written")
  func mistakes() async throws {
    let api = try TokenAPI()
    defer { api.stop() }
    let sandbox = try Sandbox()
    let line = curl(api)
    let refused = line.replacing(TokenAPI.password, with: "planted-wrong")
    let mistakes: [([String], String, String, Int32)] = [
      (["--curl"], "wget https://a.example", "begin with curl", 2), (["--curl"], "curl $A", "variable", 2),
      (["--curl"], "curl https://a.example/ -d a=b", "nothing that is called a password", 2),
      (["--curl", "--password-field", "nosuch"], line, "nosuch", 2),
      (["--curl", "--password-field", "secret"], refused, "401", 6),
      (
        ["--curl", "--password-field", "secret"], line.replacing(api.address, with: "http://api.example"), "plain http",
        2
      ),
      (["--curl", "--password-field", "secret", "--token", "/nosuch"], line, "/nosuch", 2),
      (["--curl", "--password-field", "secret", "--token", "none"], line, "looks like a token", 2),
      (["--curl", "--password-field", "secret", "--proof", "Bearer"], line, "beginning", 2),
      (["--curl", "--keep", "nosuch", "--password-field", "secret"], line, "nosuch", 2),
      (["--har"], "{}", "no HAR file", 2), (["--curl", "--har"], "", "standard input", 2),
      (["--curl", "--name", "My API"], line, "name of a dialect", 2), (["--curl", "--who", "me"], line, "path", 2),
    ]
    for (options, input, words, status) in mistakes {
      let outcome = await sandbox.run(["dialect", "new", "-o", "ours.json"] + options, input: input)
      #expect(outcome.status == status && outcome.error.contains(words), "\(options): \(outcome)")
      #expect(!outcome.error.contains("planted"), "\(outcome.error)")
    }
    let empty = await sandbox.run(["dialect", "new", "-o", "ours.json"], conversation: ScriptedAnswers(""))
    #expect(empty.status == 3)
    #expect(try sandbox.contents().isEmpty)
  }

  @Test(
    "DIALECT-C29: a server that can't answer now has said nothing of the password",
    arguments: [(429, "takes no more calls for now"), (503, "can't answer now"), (500, "can't answer now")])
  func unavailable(_ status: Int, _ words: String) async throws {
    let fields = status == 500 ? [] : [("Retry-After", "90")]
    let server = try LoopbackServer { _ in [.response(status, fields, body: "")] }
    defer { server.stop() }
    let sandbox = try Sandbox()
    let line = "curl http://127.0.0.1:\(server.port)/login -d 'user=ann&password=planted-1'"
    let outcome = await sandbox.run(["dialect", "new", "--curl"], input: line)
    #expect(outcome.status == 6 && outcome.error.contains("\(words) (\(status))"), "\(outcome.error)")
    #expect(outcome.error.contains(status == 500 ? "Try again later." : "Try again in 90 seconds."), "\(outcome.error)")
    #expect(!outcome.error.contains("password") && !outcome.error.contains("planted"), "\(outcome.error)")
    #expect(server.requests.count == 1)
  }

  @Test("DIALECT-C21: a call of --who that is refused is named, and the draft is written without it")
  func refusedWho() async throws {
    let api = try TokenAPI()
    defer { api.stop() }
    let sandbox = try Sandbox()
    let options = ["--password-field", "secret", "--proof", "Authorization: Token", "--who", "/nope"]
    let made = await sandbox.run(["dialect", "new", "--curl"] + options, input: curl(api))
    #expect(made.status == 0, "\(made.error)")
    #expect(made.error.contains("--who /nope") && made.error.contains("404"), "\(made.error)")
    #expect(!made.error.contains("Nothing was written"), "\(made.error)")
    // What was guessed is said, and how to say another.
    let guess = await sandbox.run(["dialect", "new", "--curl", "--password-field", "secret"], input: curl(api))
    #expect(guess.error.contains("not seen; Authorization: Bearer was assumed"), "\(guess.error)")
    let wrong = await sandbox.run(
      ["dialect", "new", "--curl", "--password-field", "secret", "--who", "/me"], input: curl(api))
    #expect(wrong.status == 0 && wrong.error.contains("with Authorization: Bearer was answered with 401"))
    #expect(wrong.error.contains("--proof 'Authorization: Token'"), "\(wrong.error)")
    let document = try made.json()
    #expect(document["who"] == nil && document["signIn"] != nil)
    #expect(!(made.output + made.error).contains("planted"), "\(made.error)")
  }

  @Test("DIALECT-C22: what is read of a token's claims is said")
  func claims() async throws {
    let sandbox = try Sandbox()
    func part(_ text: String) -> String {
      let base64 = Data(text.utf8).base64EncodedString().replacing("=", with: "")
      return base64.replacing("+", with: "-").replacing("/", with: "_")
    }
    let claims = part(#"{"sub":"planted-7","exp":1900000000}"#)
    let token = [part(#"{"alg":"HS256","typ":"JWT"}"#), claims, "c2lnbmVk"].joined(separator: ".")
    let har = #"""
      {"log":{"entries":[
        {"request":{"method":"POST","url":"https://api.example/login",
          "headers":[{"name":"Content-Type","value":"application/json"}],
          "postData":{"mimeType":"application/json","text":"{\"username\":\"ann\",\"password\":\"planted-1\"}"}},
         "response":{"status":200,"headers":[],"content":{"text":"{\"access_token\":\"\#(token)\"}"}}}]}}
      """#
    let made = await sandbox.run(["dialect", "new", "--har"], input: har)
    #expect(made.status == 0, "\(made.error)")
    #expect(made.error.contains("the user's identifier: /sub of the claims of the token"), "\(made.error)")
    #expect(made.error.contains("the user's name: nowhere in the answer"), "\(made.error)")
    #expect(!made.error.contains("is left at") && !made.error.contains("is over"))
    #expect(try made.json()["signIn"]?.array?.first?["reads"]?["userID"]?["pointer"] == "/sub")
  }

  @Test("DIALECT-C15: a signal at the question for the password ends the process, and nothing is written")
  func interrupted() async throws {
    let sandbox = try Sandbox()
    let tool = try RunningTool.atTerminal("ostiary dialect new -o ours.json", in: sandbox)
    _ = try await tool.waitForOutput("signs in:")
    tool.send("https://127.0.0.1:1/login\n\n\n\nann\n")
    _ = try await tool.waitForOutput("not kept")
    tool.send("\u{3}")
    let outcome = try await tool.outcome()
    #expect(outcome.status != 0)
    #expect(try sandbox.contents().isEmpty)
  }
}
