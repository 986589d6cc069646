import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand

@Suite("The session that dialect new begins", .timeLimit(.minutes(20)))
struct DialectNewEndTests {
  private func made(_ api: TokenAPI, _ options: String..., in sandbox: Sandbox) async -> Outcome {
    let body = #"{"user":"ann","secret":"\#(TokenAPI.password)"}"#
    return await sandbox.run(
      ["dialect", "new", "--curl", "--password-field", "secret", "--proof", "Authorization: Token"] + options,
      input: "curl '\(api.address)/login?open' -H 'Content-Type: application/json' -d '\(body)'\n")
  }

  @Test("DIALECT-C24: the draft's own call ends it, once, after the user was asked for, and that is said")
  func ended() async throws {
    let api = try TokenAPI()
    defer { api.stop() }
    let sandbox = try Sandbox()
    let made = await made(api, "--who", "/me", "--end", "/logout", in: sandbox)
    #expect(made.status == 0, "\(made.error)")
    #expect(made.error.contains("is over: POST /logout was answered with 200"), "\(made.error)")
    #expect(!made.error.contains("is left at"))
    #expect(api.server.requests.map(\.path) == ["/login", "/me", "/logout"])
    #expect(api.state.withLock { $0.ended } == 1)
    #expect(!(made.output + made.error).contains("planted"))
  }

  @Test("DIALECT-C24: where nothing ends it, the command says where a session is left, and writes the draft")
  func left() async throws {
    let api = try TokenAPI()
    defer { api.stop() }
    let sandbox = try Sandbox()
    let without = await made(api, in: sandbox)
    #expect(without.status == 0 && without.error.contains("is left at \(api.address)"), "\(without.error)")
    #expect(without.error.contains("--end"))
    let refused = await made(api, "--end", "/nope", in: sandbox)
    #expect(refused.status == 0 && refused.error.contains("POST /nope was answered with 404"), "\(refused.error)")
    #expect(refused.error.contains("is left at \(api.address)") && !refused.error.contains("is over"))
    let unanswered = await made(api, "--end", "/hangs-up", in: sandbox)
    #expect(unanswered.status == 0 && unanswered.error.contains("may be left at \(api.address)"), "\(unanswered.error)")
    #expect(try unanswered.json()["end"]?["path"] == "/hangs-up")
    #expect(api.state.withLock { $0.ended } == 0)
    for outcome in [without, refused, unanswered] { #expect(!(outcome.output + outcome.error).contains("planted")) }
  }

  @Test("DIALECT-C24: a draft that comes to nothing after the call says that a session may be left")
  func noDraft() async throws {
    let api = try TokenAPI()
    defer { api.stop() }
    let sandbox = try Sandbox()
    let made = await made(api, "--token", "/nosuch", "--end", "/logout", in: sandbox)
    #expect(made.status == 2 && made.error.contains("it is left at \(api.address)"), "\(made.error)")
    #expect(api.count("/login") == 1 && api.count("/logout") == 0)
    // Nothing was begun where the call itself was refused.
    let wrong = #"{"user":"ann","secret":"planted-wrong"}"#
    let refused = await sandbox.run(
      ["dialect", "new", "--curl", "--password-field", "secret"],
      input: "curl '\(api.address)/login?open' -H 'Content-Type: application/json' -d '\(wrong)'\n")
    #expect(refused.status == 6 && !refused.error.contains("is left at"), "\(refused.error)")
  }
}
