import Foundation
import OstiaryCore
import OstiaryServer
import Testing

@testable import OstiaryClientCommand

@Suite("login, status, request, why, logout", .timeLimit(.minutes(20)))
struct SessionCommandsTests {
  @Test("The round trip", arguments: ["basic", "query", "form"])
  func roundTrip(method: String) async throws {
    let sandbox = try Sandbox()
    try await PegaServer.run { server in
      let login = await sandbox.run(server.login + ["--method", method], answers: [PegaServer.password])
      #expect(login.status == 0, "\(login.error)")
      #expect(login.prompts == ["Password for alice at \(server.running.origin): "])
      #expect(login.output.contains("Signed in"))

      let status = await sandbox.run(["status"])
      #expect(status.status == 0)
      #expect(status.output.contains("Signed in as alice."))
      #expect(status.output.contains("Uplus:Testers"))

      let request = await sandbox.run(["request", server.cases])
      #expect(request.status == 0)
      let answer = try request.json()
      #expect(answer["operator"]?.string == "alice")

      let page = await sandbox.run(["logout", "--browser"])
      #expect(page.status == 2 && page.error.contains("has no page"), "\(page.error)")

      let logout = await sandbox.run(["logout"])
      #expect(logout.status == 0)
      #expect(logout.error.isEmpty)

      let after = await sandbox.run(["status"])
      #expect(after.status == 3)
      #expect(after.output.contains("No user is signed in."))

      let why = await sandbox.run(["why"])
      let lines = why.output.split(separator: "\n")
      #expect(lines.count == 2)
      #expect(lines.first?.hasSuffix("alice: signed in because you asked for it") == true)
      #expect(lines.last?.hasSuffix("alice: signed out because you asked for it") == true)
    }
  }

  @Test("Bug-A35: logout signs out while another process holds the journal's lock, and says what is not written down")
  func lockedJournal() async throws {
    let sandbox = try Sandbox()
    try await PegaServer.run { server in
      #expect(await sandbox.run(server.login, answers: [PegaServer.password]).status == 0)
      let holder = try LockHolder(sandbox.folder.appending(path: "state/events.jsonl"))
      let logout = await sandbox.run(["logout"])
      #expect(!holder.hadToLetGo)
      #expect(logout.status == 0)
      #expect(logout.output.contains("alice is signed out"))
      #expect(logout.error.contains("`ostiary why` will not know of this"))
      #expect(try await server.application.dropSessions(ofUserNamed: PegaServer.user) == 0)
      #expect(await sandbox.run(["status"]).status == 3)
      #expect(!holder.hadToLetGo)
    }
  }

  @Test("Bug-A36: with a relative OSTIARY_HOME logout leaves the session in the user's own folders alone")
  func relativeHome() async throws {
    let sandbox = try Sandbox()
    let own = ["OSTIARY_HOME": "", "HOME": sandbox.path]
    try await PegaServer.run { server in
      #expect(await sandbox.run(server.login, answers: [PegaServer.password], variables: own).status == 0)
      let other = own.merging(["OSTIARY_HOME": "./scratch"]) { $1 }
      let logout = await sandbox.run(["logout"], variables: other)
      #expect(logout.status == 2)
      #expect(logout.error.contains("profile"))
      #expect(await sandbox.run(["status"], variables: own).status == 0)
      // It is a home as good as any: below the folder that the command was started in.
      #expect(await sandbox.run(server.login, answers: [PegaServer.password], variables: other).status == 0)
      let files = try sandbox.contents()
      #expect(files.keys.contains("scratch/profiles.json"))
      #expect(await sandbox.run(["logout"], variables: other).status == 0)
      #expect(await sandbox.run(["status"], variables: own).status == 0)
    }
  }

  @Test("A wrong password is exit status 4, leaves no profile, and says what to do")
  func wrongPassword() async throws {
    let sandbox = try Sandbox()
    try await PegaServer.run { server in
      let outcome = await sandbox.run(server.login, answers: ["wrong password"])
      #expect(outcome.status == 4)
      #expect(outcome.output.isEmpty)
      #expect(outcome.error.hasPrefix("error: "))
      #expect(outcome.error.contains("Check the user name and password."))
      let json = await sandbox.run(server.login + ["--json"], answers: ["wrong password"])
      let report = try json.errorJSON()
      #expect(report["error"]?["code"]?.string == "invalid_credentials")
      #expect(await sandbox.run(["profile", "list"]).output.contains("no profile"))
    }
  }

  @Test("A password on standard input may have any character, line ends within included")
  func passwordOnStandardInput() async throws {
    let sandbox = try Sandbox()
    try await PegaServer.run { server in
      // By form: Basic carries no line end (RFC 7617 §2).
      let arguments = server.login + ["--method", "form", "--password-stdin"]
      #expect(await sandbox.run(arguments, input: PegaServer.password + "\n").status == 0)
      await sandbox.run(["logout"])
      #expect(await sandbox.run(arguments, input: PegaServer.password + "\r\n").status == 0)
      await sandbox.run(["logout"])
      #expect(await sandbox.run(arguments, input: PegaServer.password + "\n\n").status == 4)
      #expect(await sandbox.run(arguments, input: "").status == 2)
      let two = "two\nlines and a space "
      _ = try await server.application.identity.setPassword(Secret(two), forUserNamed: PegaServer.user)
      #expect(await sandbox.run(arguments, input: two).status == 0)
    }
  }

  @Test("Signing in twice is refused; after the server has ended the session it is not")
  func twice() async throws {
    let sandbox = try Sandbox()
    try await PegaServer.run { server in
      await sandbox.run(server.login, answers: [PegaServer.password])
      let again = await sandbox.run(server.login, answers: [PegaServer.password])
      #expect(again.status == 2)
      #expect(again.error.contains("ostiary logout"))
      #expect(again.prompts.isEmpty)
      try await server.application.dropSessions(ofUserNamed: PegaServer.user)
      #expect(await sandbox.run(server.login, answers: [PegaServer.password]).status == 0)
    }
  }

  @Test("A request on a session that the server dropped asks once and goes on; without a terminal it is exit status 3")
  func renewal() async throws {
    let sandbox = try Sandbox()
    try await PegaServer.run { server in
      await sandbox.run(server.login, answers: [PegaServer.password])
      try await server.application.dropSessions(ofUserNamed: PegaServer.user)
      let request = await sandbox.run(["request", "/prweb/api/v1/cases"], answers: [PegaServer.password])
      #expect(request.status == 0, "\(request.error)")
      #expect(request.prompts.count == 1)
      #expect(await sandbox.run(["why"]).output.contains("the session was refused"))

      try await server.application.dropSessions(ofUserNamed: PegaServer.user)
      let alone = await sandbox.run(["request", "/prweb/api/v1/cases"])
      #expect(alone.status == 3)
      #expect(alone.output.isEmpty)
      #expect(alone.error.contains("--password-stdin"))
    }
  }

  @Test("A wrong answer is asked for again, and then the request goes on")
  func secondAnswer() async throws {
    let sandbox = try Sandbox()
    try await PegaServer.run { server in
      await sandbox.run(server.login, answers: [PegaServer.password])
      try await server.application.dropSessions(ofUserNamed: PegaServer.user)
      let request = await sandbox.run(["request", server.cases], answers: ["wrong", PegaServer.password])
      #expect(request.status == 0, "\(request.error)")
      #expect(request.prompts.count == 2)
      try await server.application.dropSessions(ofUserNamed: PegaServer.user)
      let piped = await sandbox.run(["request", server.cases, "--password-stdin"], input: "wrong")
      #expect(piped.status == 4)
    }
  }

  @Test("A server that is gone is exit status 5, keeps the session, and signing out works all the same")
  func serverGone() async throws {
    let sandbox = try Sandbox()
    try await PegaServer.run { server in
      await sandbox.run(server.login, answers: [PegaServer.password])
    }
    for arguments in [["status"], ["request", "/prweb/api/v1/cases"]] {
      let outcome = await sandbox.run(arguments)
      #expect(outcome.status == 5)
      #expect(outcome.error.hasPrefix("error: "))
    }
    let json = await sandbox.run(["status", "--json"])
    #expect(try json.json()["status"]?.string == "unknown")
    #expect(await sandbox.run(["status", "--offline"]).status == 0)
    let logout = await sandbox.run(["logout"])
    #expect(logout.status == 0)
    #expect(logout.error.contains("did not confirm"))
    #expect(await sandbox.run(["status", "--offline"]).status == 3)
  }

  @Test("A store that can't be read is exit status 7, and nobody is signed out by it")
  func storeDamaged() async throws {
    let sandbox = try Sandbox()
    try await PegaServer.run { server in
      await sandbox.run(server.login, answers: [PegaServer.password])
      let sessions = sandbox.folder.appending(path: "state/sessions")
      let aside = sandbox.folder.appending(path: "aside")
      try FileManager.default.moveItem(at: sessions, to: aside)
      // A symbolic link is refused by the store, for root too.
      try FileManager.default.createSymbolicLink(at: sessions, withDestinationURL: aside)
      let status = await sandbox.run(["status"])
      #expect(status.status == 7, "\(status.output) \(status.error)")
      try FileManager.default.removeItem(at: sessions)
      try FileManager.default.moveItem(at: aside, to: sessions)
      #expect(await sandbox.run(["status"]).status == 0)
    }
  }

  @Test("JSON has the same shape whatever happens")
  func json() async throws {
    let sandbox = try Sandbox()
    try await PegaServer.run { server in
      let login = try await sandbox.run(server.login + ["--json"], answers: [PegaServer.password]).json()
      #expect(login["status"]?.string == "signed_in")
      let status = try await sandbox.run(["status", "--json"]).json()
      #expect(status["profile"]?.string == server.profile)
      #expect(status["user"]?.string == "alice")
      #expect(status["kind"]?.string == "pega")
      #expect(status["details"]?["accessGroup"]?.string == "Uplus:Testers")
      #expect(status["since"]?.string?.hasSuffix("Z") == true)
      let response = try await sandbox.run(["request", server.cases, "--json"]).json()
      #expect(response["status"] == .integer(200))
      #expect(response["fields"]?.array?.contains { $0["name"]?.string == "Content-Type" } == true)
      #expect(response["body"]?.string?.contains("\"operator\"") == true)
      let logout = try await sandbox.run(["logout", "--json"]).json()
      #expect(logout["wasSignedIn"] == .bool(true))
      #expect(logout["serverConfirmed"] == .bool(true))
      let out = await sandbox.run(["status", "--json"])
      #expect(out.status == 3)
      #expect(out.error.isEmpty)
      #expect(try out.json()["cause"]?.string == "requested_by_app")
      let why = try await sandbox.run(["why", "--json"]).json()
      #expect(why.array?.last?["event"]?["kind"]?.string == "signed_out")
      let profiles = try await sandbox.run(["profile", "list", "--json"]).json()
      #expect(profiles["current"]?.string == server.profile)
    }
  }

  @Test("Profiles: two users at one server, chosen by name; a profile in use is not taken away or over")
  func profiles() async throws {
    let sandbox = try Sandbox()
    try await PegaServer.run { server in
      try await server.application.identity.addUser(name: "bob", password: "bobs")
      await sandbox.run(server.login + ["--profile", "a"], answers: [PegaServer.password])
      let bob = ["login", "pega", "--server", server.url + "/", "--user", "bob", "--profile"]
      #expect(await sandbox.run(bob + ["a"], answers: ["bobs"]).status == 2)
      #expect(await sandbox.run(bob + ["b"], answers: ["bobs"]).status == 0)
      #expect(await sandbox.run(["status"]).output.contains("bob"))
      #expect(await sandbox.run(["status", "-p", "a"]).output.contains("alice"))
      #expect(await sandbox.run(["profile", "use", "a"]).status == 0)
      #expect(await sandbox.run(["status"]).output.contains("alice"))
      let list = await sandbox.run(["profile", "list"])
      #expect(list.output.contains("* ") && list.output.contains("bob"))
      #expect(await sandbox.run(["profile", "remove", "a"]).status == 2)
      await sandbox.run(["logout"])
      #expect(await sandbox.run(["profile", "remove", "a"]).status == 0)
      #expect(await sandbox.run(["status"]).status == 2)
      #expect(await sandbox.run(["why", "--all"]).output.contains("bob"))
    }
  }
}
