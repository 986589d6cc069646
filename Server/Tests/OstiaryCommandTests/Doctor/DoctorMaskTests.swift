import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand

@Suite("ostiary doctor: what can be pasted into an issue", .timeLimit(.minutes(20)))
struct DoctorMaskTests {
  private func profile(_ name: String, user: String, _ server: String = "https://app.example.org/prweb") throws
    -> Profile
  {
    Profile(
      name: name, kind: AuthenticatorKind("pega"), server: try #require(URL(string: server)), user: user, method: nil,
      certificateFile: nil)
  }

  @Test("User names, home folders and user information in addresses are taken out of any text")
  func texts() throws {
    let mask = DoctorMask(
      profiles: [try profile("a", user: "a"), try profile("alice@app.example.org", user: "alice")],
      home: "/home/alice/",
      account: "al")
    #expect(mask.text("alice@app.example.org") == "‹user›@app.example.org")
    #expect(mask.text("a cat sat; a, alice and malice") == "‹user› cat sat; ‹user›, ‹user› and malice")
    #expect(mask.path("/home/alice/.config/ostiary/") == "~/.config/ostiary")
    #expect(
      mask.text("see https://bob:p%40ss@host/x?y and http://k@h") == "see https://‹user›@host/x?y and http://‹user›@h")
    #expect(mask.text("al") == "‹user›" && mask.text("alice al") == "‹user› ‹user›")
    let hiding = DoctorMask(hidesHosts: true, profiles: [try profile("x", user: "")])
    #expect(hiding.text("app.example.org failed") == "‹host› failed")
    #expect(hiding.place(try #require(URL(string: "https://u@app.example.org:8443/x"))) == "https://‹host›:8443")
  }

  @Test("Every message of the doctor can be read, and what needs a person to act says what to do")
  func messages() {
    for message in DoctorMessage.examples {
      let text = message.line.plain + " " + message.advice
      #expect([".", "…"].contains { message.line.plain.hasSuffix($0) }, "\(text)")
      #expect(message.advice.isEmpty || message.advice.hasSuffix("."), "\(text)")
      #expect(!text.contains("  ") && !text.contains(".."), "\(text)")
    }
  }

  @Test("No secret of a profile and no user's name is in what is told, for people and for programs")
  func secrets() async throws {
    let sandbox = try Sandbox()
    let server = try LoopbackServer { request in
      request.fields[.authorization] == nil
        ? [.response(401, [("WWW-Authenticate", "Basic realm=\"a\"")])]
        : [.response(200, [("Set-Cookie", "crumb=c00kie-value")], body: "inside")]
    }
    defer { server.stop() }
    let login = ["login", "http", "--server", server.url().absoluteString, "--user", "wilhelmina", "--password-stdin"]
    #expect(await sandbox.run(login, input: "s3cret-word").status == 0)
    let newzulu = [
      "login", "newzulu", "--server", server.url().absoluteString, "--user", "wilhelmina", "--option", "vhost=1",
      "--option", "api-key=k3y-of-app", "--password-stdin", "--profile", "nz",
    ]
    _ = await sandbox.run(newzulu, input: "s3cret-word")
    let variables = ["HOME": sandbox.path, "USER": "root-user", "HTTPS_PROXY": "http://x:pr0xy@proxy:1"]
    for options in [[], ["--json"], ["--verbose"], ["--profile", "wilhelmina@none"]] {
      let doctor = await sandbox.run(["doctor"] + options, variables: variables)
      for text in ["wilhelmina", "s3cret", "k3y-of-app", "c00kie", "pr0xy", "root-user"]
      where options != ["--profile", "wilhelmina@none"] {
        #expect(!doctor.output.contains(text), "\(options): \(doctor.output)")
      }
      let proof = Data("wilhelmina:s3cret-word".utf8).base64EncodedString()
      #expect(!doctor.output.contains(proof) && !doctor.error.contains(proof))
      #expect(!doctor.output.contains(sandbox.path), "\(doctor.output)")
    }
  }
}
