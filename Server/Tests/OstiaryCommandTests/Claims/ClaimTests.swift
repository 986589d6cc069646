import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand

/// The command claims what a server has shown, and nothing else.
@Suite("Claims of the command", .timeLimit(.minutes(20)))
struct ClaimTests {
  private static let password = "apple"

  @Test("Bug-B01: login doesn't say that a wrong password signed in, whatever page the server shows")
  func wrongPassword() async throws {
    let sandbox = try Sandbox()
    let server = try FormServer(FormServer.Ways(thanksEverybody: true))
    defer { server.stop() }
    let wrong = await sandbox.run(server.login, answers: ["wrong"])
    #expect(wrong.status == 4, "\(wrong.output) \(wrong.error)")
    #expect(wrong.output.isEmpty)
    #expect(await sandbox.run(["profile"]).output.contains("no profile"))
    let right = await sandbox.run(server.login, answers: [Self.password])
    #expect(right.status == 0, "\(right.error)")
    #expect(right.output.contains("Signed in"))
    #expect(await sandbox.run(["request", "/x"]).output == "inside")
  }

  @Test("Bug-B02: logout says whether the server has shown that the session is over", arguments: [true, false])
  func logout(_ endsSessions: Bool) async throws {
    let sandbox = try Sandbox()
    let server = try FormServer(FormServer.Ways(endsSessions: endsSessions))
    defer { server.stop() }
    let login = server.login + ["--option", "logout=/logout"]
    #expect(await sandbox.run(login, answers: [Self.password]).status == 0)
    let out = await sandbox.run(["logout"])
    #expect(out.status == 0)
    #expect(out.output.contains("Confirmed: the server refused") == endsSessions, "\(out.output)")
    #expect(out.output.contains("is signed out of \(server.address) here.") == !endsSessions)
    #expect(out.output.contains("still accepts the session's proof") == !endsSessions)

    #expect(await sandbox.run(login, answers: [Self.password]).status == 0)
    let json = try await sandbox.run(["logout", "--json"]).json()
    #expect(json["serverConfirmed"]?.bool == endsSessions)
    #expect(json["serverSaid"]?.string?.isEmpty == false)
    let again = try await sandbox.run(["logout", "--json"]).json()
    #expect(again["wasSignedIn"] == false && again["serverConfirmed"] == false)
  }

  @Test("Bug-B02: without a logout address, and at a server without sessions, logout claims nothing of the server")
  func nothingToConfirm() async throws {
    let sandbox = try Sandbox()
    let server = try FormServer()
    defer { server.stop() }
    #expect(await sandbox.run(server.login, answers: [Self.password]).status == 0)
    let gateway = await sandbox.run(["logout"])
    #expect(gateway.output.contains("no logout address"), "\(gateway.output)")
    let basic = try LoopbackServer { request in
      request.fields[.authorization] == nil
        ? [.response(401, [("WWW-Authenticate", "Basic realm=\"r\"")])] : [.response()]
    }
    defer { basic.stop() }
    let login = ["login", "http", "--server", "http://127.0.0.1:\(basic.port)/", "--user", "ann"]
    #expect(await sandbox.run(login, answers: [Self.password]).status == 0)
    let http = await sandbox.run(["logout"])
    #expect(http.output.contains("keeps no session"), "\(http.output)")
  }

  @Test("Bug-B02: the log-off of a Pega server is confirmed by its refusal of the old cookies")
  func pega() async throws {
    let sandbox = try Sandbox()
    try await PegaServer.run { server in
      #expect(await sandbox.run(server.login, answers: [PegaServer.password]).status == 0)
      let json = try await sandbox.run(["logout", "--json"]).json()
      #expect(json["serverConfirmed"] == true)
      #expect(json["serverSaid"]?.string?.contains("refused") == true)
    }
  }

  @Test("Claims are checked: status --check asks the server, status --offline says that it did not")
  func status() async throws {
    let sandbox = try Sandbox()
    let server = try FormServer()
    defer { server.stop() }
    #expect(await sandbox.run(server.login, answers: [Self.password]).status == 0)
    let before = server.requests.count
    let offline = await sandbox.run(["status", "--offline"])
    #expect(offline.status == 0 && offline.output.contains("not now; --check asks the server"))
    #expect(server.requests.count == before)
    #expect(try await sandbox.run(["status", "--offline", "--json"]).json()["checked"] == false)
    let check = await sandbox.run(["status", "--check"])
    #expect(check.status == 0 && check.output.contains("the server accepts the session"), "\(check.output)")
    #expect(server.requests.count > before)
    #expect(await sandbox.run(["status", "--check", "--offline"]).status == 2)
    server.expire()
    #expect(await sandbox.run(["status", "--offline"]).status == 0)
    #expect(await sandbox.run(["status", "--check"]).status == 3)
  }

  @Test("Bug-B03: a bare 401 is a challenge where login= names the login page")
  func bare() async throws {
    let sandbox = try Sandbox()
    let server = try FormServer(FormServer.Ways(isBare: true))
    defer { server.stop() }
    #expect(await sandbox.run(server.login, answers: [Self.password]).status != 0)
    let login = server.login + ["--option", "login=/login"]
    #expect(await sandbox.run(login, answers: ["wrong"]).status == 4)
    let right = await sandbox.run(login, answers: [Self.password])
    #expect(right.status == 0, "\(right.error)")
    server.expire()
    let again = await sandbox.run(["request", "/x", "--data", "a=1"], answers: [Self.password])
    #expect(again.output == "inside", "\(again.error)")
    #expect(server.requests.allSatisfy { $0.fields[.accept] != nil })
  }

  @Test("Bug-B08: preemptive=basic sends Basic to a server that does not ask for it, and check= names where to try it")
  func preemptive() async throws {
    let sandbox = try Sandbox()
    let proof = "Basic " + Data("ann:apple".utf8).base64EncodedString()
    let server = try LoopbackServer { request in
      let isHead = request.method == "HEAD"
      if request.path == "/" { return [.response(body: isHead ? "" : "hello, stranger")] }
      return request.fields[.authorization] == proof ? [.response(body: isHead ? "" : "inside")] : [.response(404)]
    }
    defer { server.stop() }
    let login = ["login", "http", "--server", "http://127.0.0.1:\(server.port)/", "--user", "ann", "--profile", "p"]
    #expect(await sandbox.run(login, answers: [Self.password]).status == 6)
    let unasked = login + ["--option", "preemptive=basic"]
    #expect(await sandbox.run(unasked, answers: [Self.password]).status == 6)
    let checked = unasked + ["--option", "check=/private"]
    #expect(await sandbox.run(checked, answers: ["wrong"]).status == 4)
    let right = await sandbox.run(checked, answers: [Self.password])
    #expect(right.status == 0, "\(right.error)")
    #expect(await sandbox.run(["request", "/private"]).output == "inside")
    #expect(await sandbox.run(["status", "--check"]).status == 0)
    #expect(await sandbox.run(login + ["--option", "preemptive=digest"], answers: [Self.password]).status == 2)
  }
}
