import Foundation
import OstiaryCore
import OstiaryOAuth
import Testing

@testable import OstiaryClientCommand

@Suite("snapstart", .timeLimit(.minutes(20)))
struct SnapStartCommandTests {
  private func sandbox(_ server: String = "https://127.0.0.1:1/prweb", kind: String = "pega") throws -> Sandbox {
    let sandbox = try Sandbox()
    let url = try #require(URL(string: server))
    let profile = Profile(
      name: "p", kind: AuthenticatorKind(kind), server: url, user: "alice", method: nil, certificateFile: nil)
    try ProfileStore(sandbox.folders).change { $0.put(profile) }
    return sandbox
  }

  private static let servlet = "https://127.0.0.1:1/prweb/PRServlet?pyActivity=pyMobileSnapStart"

  @Test(
    "Bug-D11: each action has its address, on standard output and nothing besides",
    arguments: [
      (["create-case", "Uplus-Work"], "&Action=createNewWork&FlowType=pyStartCase&InsClass=Uplus-Work"),
      (["create-case", "W-", "--flow", "a b"], "&Action=createNewWork&FlowType=a%20b&InsClass=W-"),
      (
        ["open-case", "UPLUS-WORK D-1", "--no-full-portal"],
        "&pyShowFullPortal=false&Action=openWorkByHandle&InsHandle=UPLUS-WORK%20D-1"
      ),
      (["show-harness", "Review", "--class", "Work-"], "&Action=display&Harness=Review&ClassName=Work-"),
      (
        ["run-activity", "Do", "--class", "Work-", "--property", "a=b=c", "--property", "é="],
        "&Action=runActivity&pyActivityName=Do&ClassName=Work-&a=b%3Dc&%C3%A9="
      ),
    ])
  func addresses(arguments: [String], query: String) async throws {
    let outcome = try await sandbox().run(["snapstart"] + arguments)
    #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome.error)")
    #expect(outcome.output == Self.servlet + query + "\n")
    #expect(outcome.prompts.isEmpty)
    let json = try await sandbox().run(["snapstart"] + arguments + ["--json"]).json()
    #expect(json["address"] == .string(Self.servlet + query) && json["holdsPassword"] == false)
  }

  @Test("Bug-D11: --open opens it, and says that the browser has a session of its own")
  func opens() async throws {
    let opened = Locked<[URL]>([])
    let outcome = try await sandbox().run(
      ["snapstart", "open-case", "A B", "--open"],
      browser: { url in
        opened.withLock { $0.append(url) }
      })
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(opened.withLock { $0.map(\.absoluteString) } == [outcome.output.trimmingCharacters(in: .newlines)])
    #expect(outcome.error.contains("asks there to sign in"))
    let none = try await sandbox().run(["snapstart", "open-case", "A B", "--open"])
    #expect(none.status != 0 && none.output.hasPrefix(Self.servlet))
    #expect(none.error.contains("set BROWSER"), "\(none.error)")
  }

  @Test("Bug-D11: a password is in the address only where the option says so, with a warning, and is never opened")
  func password() async throws {
    let sandbox = try sandbox()
    let encoded = Data("planted-pw".utf8).base64EncodedString().replacing("=", with: "%3D")
    let exposing = ["snapstart", "open-case", "A B", "--expose-password-in-address"]
    let outcome = await sandbox.run(exposing, answers: ["planted-pw"])
    #expect(outcome.status == 0 && outcome.prompts.count == 1, "\(outcome.error)")
    #expect(outcome.output.contains(encoded) && outcome.output.contains("alice"))
    #expect(outcome.error.contains("holds your password") && !outcome.error.contains(encoded))
    #expect(try await sandbox.run(exposing + ["--json"], answers: ["planted-pw"]).json()["holdsPassword"] == true)
    let opened = await sandbox.run(exposing + ["--open"], answers: ["planted-pw"])
    #expect(opened.status == 2 && opened.prompts.isEmpty && opened.output.isEmpty)
    #expect(opened.error.contains("Leave --open or --expose-password-in-address out"), "\(opened.error)")
    let none = await sandbox.run(exposing)
    #expect(none.status == 3 && none.output.isEmpty, "\(none.error)")
  }

  @Test(
    "Bug-D11: what can't be an action is refused with what to type",
    arguments: [
      (["show-harness", "Review"], "--class CLASS"), (["open-case", "A", "--class", "W"], "Leave --class out"),
      (["open-case", "A", "--flow", "f"], "Leave --flow out"), (["open-case", "A", "--property", "x"], "NAME=VALUE"),
      (["open-case", " "], "Fill in every part"), (["nothing", "A"], "create-case"), (["open-case"], "Missing"),
      (["open-case", "A", "--password-stdin"], "Leave --password-"),
      (["open-case", "A", "--property", "pyActivity=x"], "another name"),
    ])
  func refused(arguments: [String], words: String) async throws {
    let outcome = try await sandbox().run(["snapstart"] + arguments)
    #expect(outcome.status == 2 && outcome.output.isEmpty, "\(outcome.output)")
    #expect(outcome.error.contains(words), "\(outcome.error)")
  }

  @Test("Bug-D11: a server without https, and a profile of another kind, are refused with what to type")
  func wrongProfile() async throws {
    let plain = try await sandbox("http://pega.example/prweb").run(["snapstart", "open-case", "A"])
    #expect(plain.status == 2 && plain.error.contains("--server https://"), "\(plain.error)")
    let other = try await sandbox(kind: "http").run(["snapstart", "open-case", "A"])
    #expect(other.status == 2 && other.error.contains("ostiary login pega"), "\(other.error)")
  }

  @Test("Bug-D11: what the real door is told by the address is what was asked for")
  func door() async throws {
    try await PegaServer.run { server in
      let sandbox = try Sandbox()
      await sandbox.run(server.login, answers: [PegaServer.password])
      let key = "UPLUS-WORK D-1 & ü"
      let address = await sandbox.run(["snapstart", "open-case", key, "--property", "a=1"]).output
      let page = await sandbox.run(["request", address.trimmingCharacters(in: .newlines)])
      let told = page.output.replacing("\\u0026", with: "&")
      #expect(page.status == 0 && told.contains("\"InsHandle\":\"\(key)\""), "\(page.output)")
      #expect(told.contains("\"operator\":\"alice\""))
    }
  }
}
