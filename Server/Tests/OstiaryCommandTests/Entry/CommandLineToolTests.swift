import Foundation
import OstiaryCore
import Testing

@testable import OstiaryClientCommand

@Suite("The command line", .timeLimit(.minutes(10)))
struct CommandLineToolTests {
  @Test("Help and version are results: standard output, exit status 0", arguments: [[], ["--help"], ["--version"]])
  func help(arguments: [String]) async throws {
    let outcome = try await Sandbox().run(arguments)
    #expect(outcome.status == 0)
    #expect(!outcome.output.isEmpty)
    #expect(outcome.error.isEmpty)
  }

  @Test("A command that the help shows fits into a terminal of 80 columns: a broken one could not be pasted")
  func examples() async throws {
    let sandbox = try Sandbox()
    var (paths, count) = ([[String]()], 0)
    while let path = paths.popLast() {
      let help = await sandbox.run(["help"] + path, variables: ["COLUMNS": "100000"]).output
      var isList = false
      for line in help.split(separator: "\n", omittingEmptySubsequences: false) {
        if line.isEmpty || line.hasSuffix("SUBCOMMANDS:") { isList = !line.isEmpty }
        if isList, line.dropFirst(2).first?.isLowercase == true {
          paths.append(path + [String(line.dropFirst(2).prefix { $0 != " " })])
        }
        let text = line.drop { $0 == " " }.replacing(#/^Examples?: /#, with: "")
        guard ["ostiary ", "curl ", "wl-paste "].contains(where: { text.hasPrefix($0) }) else { continue }
        count += 1
        #expect(line.count <= 80, "help \(path.joined(separator: " ")): \(line)")
      }
    }
    #expect(count > 15)
  }

  @Test("The help is shown in a terminal of any width", arguments: ["0", "1", "5", "26", "40"])
  func narrow(columns: String) async throws {
    let sandbox = try Sandbox()
    for arguments in [["--help"], ["help", "token"], ["status", "--nonsense"]] {
      let outcome = try await Tool.run(arguments, in: sandbox, variables: ["COLUMNS": columns])
      #expect(outcome.status == (arguments.contains("--nonsense") ? 2 : 0), "\(outcome.error.prefix(200))")
    }
  }

  @Test("There is completion for the shells", arguments: ["bash", "zsh", "fish"])
  func completion(shell: String) async throws {
    let outcome = try await Sandbox().run(["--generate-completion-script", shell])
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("login"))
  }

  @Test(
    "A wrong command line is one sentence on standard error, and exit status 2",
    arguments: [
      ["nonsense"], ["login"], ["status", "--nonsense"], ["why", "-n", "0"], ["why", "-n", "x"],
      ["request", "/x", "--timeout", "0"], ["serve", "--in-memory", "--data", "x"], ["serve", "--tls-cert", "x"],
    ])
  func misuse(arguments: [String]) async throws {
    let outcome = try await Sandbox().run(arguments)
    #expect(outcome.status == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.error.hasPrefix("error: "))
  }

  @Test("With --json a wrong command line is JSON as well")
  func misuseJSON() async throws {
    let outcome = try await Sandbox().run(["status", "--json", "--nonsense"])
    #expect(outcome.status == 2)
    let error = try #require(try outcome.errorJSON()["error"])
    #expect(error["code"]?.string == "usage")
    #expect(error["exitCode"] == .integer(2))
  }

  @Test("An unknown kind of server lists the known ones")
  func unknownKind() async throws {
    let outcome = try await Sandbox().run(["login", "nonsense", "--server", "http://127.0.0.1/", "--user", "a"])
    #expect(outcome.status == 2)
    #expect(outcome.error.contains("pega"))
  }

  @Test(
    "What can't be a server, user, method or profile is refused before anything is asked or sent",
    arguments: [
      ["--server", "nonsense", "--user", "a"], ["--server", "ftp://h/", "--user", "a"],
      ["--server", "http://u:planted-pw@h/", "--user", "a"], ["--server", "u:planted-pw@h/", "--user", "a"],
      ["--server", "http://u:planted-pw@bad host/", "--user", "a"], ["--server", "http://h/", "--user", ""],
      ["--server", "http://h/", "--user", "a\u{1B}[2J"], ["--server", "http://h/", "--user", "a", "--method", "magic"],
      ["--server", "http://h/", "--user", "a", "--profile", "a\nb"],
      ["--server", "http://h/", "--user", "a", "--ca-file", "missing.pem"],
    ])
  func badLogin(arguments: [String]) async throws {
    let outcome = try await Sandbox().run(["login", "pega"] + arguments, answers: ["password"])
    #expect(outcome.status == 2)
    #expect(outcome.prompts.isEmpty)
    #expect(!outcome.error.contains("\u{1B}"))
    #expect(!outcome.error.contains("planted-pw"))
  }

  @Test("Without a profile, commands say how to make one", arguments: ["status", "logout", "why"])
  func noProfile(command: String) async throws {
    let sandbox = try Sandbox()
    let outcome = await sandbox.run([command])
    #expect(outcome.status == 2)
    #expect(outcome.error.contains("ostiary login"))
    let json = await sandbox.run([command, "--json"])
    #expect(try json.errorJSON()["error"]?["code"]?.string == "unknown_profile")
  }

  @Test(
    "Bug-B12: an unknown command is told as one, whatever follows it", arguments: [[], ["--json"], ["-x", "--json"]])
  func unknownCommand(rest: [String]) async throws {
    for command in [["nosuch"], ["profile", "nosuch"]] {
      let outcome = try await Sandbox().run(command + rest)
      #expect(outcome.status == 2)
      let message = rest.contains("--json") ? try outcome.errorJSON()["error"]?["message"]?.string : outcome.error
      #expect(message?.contains("There is no command “nosuch”") == true, "\(outcome.error)")
    }
  }

  @Test("Bug-B12: completion offers the names of the profiles", arguments: ["status", "logout", "request", "why"])
  func profileNames(command: String) async throws {
    let sandbox = try Sandbox()
    try ProfileStore(sandbox.folders).change { book in
      for name in ["work", "home office"] {
        let server = URL(filePath: "/unused")
        book.put(
          Profile(
            name: name, kind: AuthenticatorKind("pega"), server: server, user: "a", method: nil, certificateFile: nil))
      }
    }
    let words = ["ostiary", command, "--profile", ""]
    let outcome = await sandbox.run(["---completion", command, "--", "--profile", "3", "0"] + words)
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(outcome.output.contains("work") && outcome.output.contains("home office"), "\(outcome.output)")
  }
}
