import Foundation
import OstiaryCore
import OstiaryServer
import Testing

@testable import OstiaryClientCommand
@testable import OstiaryServerCommand

@Suite("serve --configuration", .timeLimit(.minutes(20)))
struct ServeConfigurationTests {
  private static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func write(_ text: String, _ sandbox: Sandbox, _ name: String = "a.json", mode: Int = 0o600) throws {
    let url = sandbox.folder.appending(path: name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: url, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path(percentEncoded: false))
  }

  /// The command that a file and a command line are.
  private static func command(
    _ file: String, _ arguments: [String] = [], variables: [String: String] = [:], in sandbox: Sandbox? = nil
  ) throws -> ServeCommand {
    let sandbox = try sandbox ?? Sandbox()
    try write(file, sandbox)
    return try ServeConfiguration(
      path: "a.json", arguments: ["--configuration", "a.json"] + arguments,
      environment: sandbox.environment(variables: variables)
    ).command()
  }

  /// What is wrong with a file, a sentence each.
  private static func problems(_ file: String, _ arguments: [String] = [], in sandbox: Sandbox? = nil) -> [String] {
    do {
      _ = try command(file, arguments, in: sandbox)
      return []
    } catch let problems as ConfigurationProblems {
      return problems.problems.map(\.whole.plain)
    } catch {
      return ["\(error)"]
    }
  }

  // MARK: What it can say

  @Test("configuration: every option has a setting, but those that a file must not have")
  func complete() throws {
    let said = Set(
      ServeCommand.table.settings.flatMap { setting in
        if case .flag(let off?) = setting.kind { return [setting.option, off] }
        return [setting.option]
      })
    // A key of an app is a secret: `newzulu.keys` names a file with them.
    let unsaid: Set = ["configuration", "print-configuration-schema", "newzulu-key", "help", "version"]
    #expect(try ServeCommand.optionNames().subtracting(said).subtracting(unsaid) == [])
    #expect(try said.subtracting(ServeCommand.optionNames()) == [])
    #expect(Set(ServeCommand.table.settings.map(\.name)).count == ServeCommand.table.settings.count)
  }

  @Test("configuration: it says what options say, and paths in it begin at its own folder")
  func all() throws {
    let sandbox = try Sandbox()
    try Self.write("0123456789abcdef0123456789abcdef tenant=206", sandbox, "keys.txt")
    try Self.write("token-of-the-app\n", sandbox, "secrets/token")
    try Self.write("# the oldest first\nfirst-token\n\nsecond-token\n", sandbox, "secrets/former")
    let command = try Self.command(
      """
      {"data": "data", "keyFile": "a.key", "auditDays": 30, "host": "127.0.0.1", "port": 0, "user": "ann",
       "passwordStdin": true, "trustProxy": ["127.0.0.1", "::1"], "dev": true, "tls": {"cert": "cert.pem", "key": "key.pem"},
       "signUp": true, "returnOrigin": ["https://app.example.org"], "experience": "starter", "admin": true,
       "serviceName": "Example", "json": true, "verbose": false,
       "gateway": {"upstream": ["/app=http://127.0.0.1:9000"], "style": "webseal", "public": ["/app/health"]},
       "newzulu": {"tenant": ["206"], "keys": "keys.txt", "maxFile": "2G", "publish": true},
       "salesforce": {"app": ["KEY=https://app.example.org/cb"], "timeout": 60, "insecureFlows": true},
       "primer": {"tokenFile": "secrets/token", "formerTokensFile": "secrets/former", "backend": "none"}}
      """, in: sandbox)
    let environment = sandbox.environment()
    let server = try command.server(environment, Folders(environment))
    let folder = sandbox.folder
    #expect(server.storage == .folder(folder.appending(path: "data", directoryHint: .isDirectory)))
    #expect(command.data.key.keyFile == folder.appending(path: "a.key").path(percentEncoded: false))
    #expect(command.auditDays == 30 && command.port == 0 && command.user == "ann" && command.passwordStdin)
    #expect(
      command.trustedProxies == ["127.0.0.1", "::1"] && command.dev && command.output.json && !command.output.verbose)
    #expect(command.tlsCert == folder.appending(path: "cert.pem").path(percentEncoded: false))
    #expect(command.tlsKey == folder.appending(path: "key.pem").path(percentEncoded: false))
    #expect(server.accounts?.offersSignUp == true && server.accounts?.serviceName == "Example")
    #expect(server.accounts?.returnOrigins == ["https://app.example.org"])
    #expect(server.accounts?.experience == StarterExperience.document && server.administration != nil)
    #expect(server.gateway?.junctions.map(\.path) == ["/app"] && server.gateway?.style.rawValue == "webseal")
    #expect(
      server.newzulu?.vhosts == ["206"] && server.newzulu?.keys.count == 1 && server.newzulu?.largestFile == 2 << 30)
    #expect(server.salesforce?.apps.count == 1 && server.salesforce?.sessionTimeout == .seconds(60))
    let app = try #require(command.doors.primer.configuration(environment).apps.first)
    #expect(command.doors.primer.token == "token-of-the-app" && app.formerTokens == ["first-token", "second-token"])
  }

  // MARK: Precedence

  @Test("configuration: what no one says is the default")
  func defaults() throws {
    let command = try Self.command("{}")
    #expect(command.port == 8080 && command.host == "127.0.0.1" && command.auditDays == 400 && !command.dev)
  }

  @Test("configuration: the file counts before the default, and an option before the file")
  func options() throws {
    let file =
      #"{"port": 1, "trustProxy": ["127.0.0.1"], "gateway": {"style": "webseal"}, "signUp": true, "dev": true}"#
    #expect(try Self.command(file).port == 1)
    let command = try Self.command(
      file, ["--port=2", "--trust-proxy", "127.0.0.2", "--gateway-style", "ltpa", "--no-sign-up"])
    #expect(command.port == 2 && command.trustedProxies == ["127.0.0.2"] && command.dev)
    #expect(command.doors.gateway.style.rawValue == "ltpa")
    #expect(!command.doors.accounts.allowsSignUp && command.doors.accounts.refusesSignUp)
    let quiet = try Self.command(#"{"signUp": false}"#, ["--allow-sign-up"])
    #expect(quiet.doors.accounts.allowsSignUp && !quiet.doors.accounts.refusesSignUp)
  }

  @Test("configuration: an option counts before a setting that would contradict it")
  func rivals() throws {
    let memory = try Self.command(#"{"data": "data", "keyFile": "a.key", "admin": true}"#, ["--in-memory"])
    #expect(memory.inMemory && memory.data.data == nil && memory.data.key.keyFile == nil)
    let folder = try Self.command(#"{"inMemory": true}"#, ["--data", "x"])
    #expect(!folder.inMemory && folder.data.data == "x")
    let tls = try Self.command(#"{"tls": {"cert": "a", "key": "b"}}"#, ["--dev-tls"])
    #expect(tls.devTLS && tls.tlsCert == nil && tls.tlsKey == nil)
    let files = try Self.command(#"{"devTLS": true}"#, ["--tls-cert", "a", "--tls-key", "b"])
    #expect(!files.devTLS && files.tlsCert == "a")
    // What one says half of, the other may complete.
    let both = try Self.command(#"{"tls": {"key": "b"}, "user": "ann"}"#, ["--tls-cert", "a", "--password-stdin"])
    #expect(both.tlsCert == "a" && both.tlsKey != nil && both.user == "ann")
  }

  @Test(
    "configuration: for the mail server's password an option counts before the environment, and that before the file")
  func passwords() throws {
    let sandbox = try Sandbox()
    for name in ["option", "file"] { try Self.write("of the \(name)\n", sandbox, "\(name).password") }
    let file = """
      {"mail": {"server": "mail.example.org", "from": "a@example.org", "user": "a", "passwordFile": "file.password"}}
      """
    func password(_ arguments: [String], _ variables: [String: String]) throws -> String? {
      let command = try Self.command(file, arguments, variables: variables, in: sandbox)
      let environment = sandbox.environment(variables: variables)
      return try command.mail.configuration(serviceName: nil, environment)?.password?.reveal()
    }
    let variables = [MailOptions.passwordVariable: "of the environment"]
    #expect(try password(["--mail-password-file", "option.password"], variables) == "of the option")
    #expect(try password([], variables) == "of the environment")
    #expect(try password([], [:]) == "of the file")
  }

  @Test("configuration: a key of the file and another of the environment are an error, as two others are")
  func keys() async throws {
    let sandbox = try Sandbox()
    for name in ["a.key", "b.key"] { #expect(await sandbox.run(["key", "new", name]).status == 0) }
    try Self.write(#"{"port": 0, "keyFile": "a.key", "dev": true}"#, sandbox)
    let other = try String(contentsOf: sandbox.folder.appending(path: "b.key"), encoding: .utf8)
    // A process of its own, which ends with its time if it should start after all.
    let outcome = try await Tool.run(
      ["serve", "--configuration", "a.json"], in: sandbox, variables: ["OSTIARY_KEY": other])
    #expect(outcome.status == 2 && outcome.error.contains("a.key") && outcome.error.contains("OSTIARY_KEY"))
  }

  @Test("configuration: a database of PostgreSQL, setting by setting; alone they are a problem of the whole")
  func database() throws {
    let whole = #"{"database": {"address": "postgres://o@db/o", "connections": 3, "pooler": "transaction"}}"#
    #expect(Self.problems(whole) == [])
    let options = try Self.command(whole).data.database
    #expect(options.database == "postgres://o@db/o" && options.databaseConnections == 3)
    #expect(options.databasePooler == .transaction)
    #expect(Self.problems(#"{"database": {"connections": 3}}"#).contains { $0.contains("“database.address”") })
    let twice = Self.problems(#"{"inMemory": true, "database": {"address": "postgres://o@db/o"}}"#)
    #expect(twice.contains { $0.contains("“database.address” and “inMemory” do not go together.") }, "\(twice)")
  }

  // MARK: Problems

  @Test("configuration: all problems are told at once, each with its path: names, types, values, contradictions")
  func everything() throws {
    let problems = Self.problems(
      """
      {"colour": "red", "port": 70000, "dev": "yes", "host": "0.0.0.0", "trustProxy": ["proxy"],
       "inMemory": true, "data": "data", "devTLS": true, "tls": {"cert": "a"},
       "gateway": {"upstream": ["app"], "styl": "ltpa", "allow": ["a@b@c.example"]},
       "newzulu": {"maxFile": "big", "keys": "none.txt"}, "mail": {"from": "a@example.org"}, "admin": true,
       "primer": {"tokenFile": "none"}, "host": "0.0.0.0"}
      """)
    for words in [
      "“colour”: There is no such setting. Known here: “data”,", "“port”: It must be a whole number from 0 to 65535.",
      "“dev”: It must be true or false, not a text.", "“gateway.styl”: There is no such setting.",
      "“host”: It is there twice.", "“gateway.upstream”: “app” is no upstream. Write “gateway.upstream” with",
      "“newzulu.maxFile”: “big” is not the size", "“newzulu.keys”: ", "“primer.tokenFile”: none can't be read.",
      "“data” and “inMemory” do not go together.", "“tls.cert” and “tls.key” go together.",
      "“tls.cert” and “devTLS” do not go together.", "“mail.from” and “mail.user” go with",
      "“trustProxy”: A trusted proxy is named by its numeric address", "“host”: Listening on every address",
      "“gateway.allow”: ",
    ] {
      #expect(problems.contains { $0.contains(words) }, "\(words) in\n\(problems.joined(separator: "\n"))")
    }
    // The whole has an answer to each: one line, in terms of the file.
    #expect(problems.allSatisfy { !$0.contains("--") && !$0.contains("\n") }, "\(problems)")
    #expect(Set(problems).count == problems.count)
  }

  @Test("configuration: what only seems wrong because another setting is refused is not told")
  func followUps() {
    #expect(
      Self.problems(#"{"tls": {"cert": 1, "key": "b"}}"#) == [
        "“tls.cert”: It must be a path that is not empty, not a number."
      ])
    #expect(Self.problems(#"{"user": "", "passwordStdin": true}"#).count == 1)
  }

  @Test("configuration: secrets are files that others can't read, and are never told")
  func secrets() throws {
    let sandbox = try Sandbox()
    try Self.write("CANARY", sandbox, "open", mode: 0o644)
    try Self.write("\n", sandbox, "empty")
    let open = Self.problems(#"{"primer": {"tokenFile": "open", "formerTokensFile": "empty"}}"#, in: sandbox)
    #expect(open.contains { $0.hasPrefix("“primer.tokenFile”: Others may read") })
    #expect(open.contains { $0.hasPrefix("“primer.formerTokensFile”: ") && $0.contains("nothing in it") })
    let inline = Self.problems(#"{"primer": {"token": "CANARY"}, "newzulu": {"key": ["CANARY"]}}"#, in: sandbox)
    #expect(inline.count == 2 && inline.allSatisfy { $0.contains("no such setting") })
    #expect((open + inline).allSatisfy { !$0.contains("CANARY") })
  }

  @Test(
    "configuration: it ends as other mistakes do, with a line for each problem, or one document; nothing is started")
  func status() async throws {
    let sandbox = try Sandbox()
    try Self.write(#"{"port": "x", "colour": 1}"#, sandbox)
    let outcome = await sandbox.run(["serve", "--configuration", "a.json"])
    #expect(outcome.status == 2 && outcome.output.isEmpty)
    #expect(outcome.error.split(separator: "\n").count == 3, "\(outcome.error)")
    #expect(outcome.error.contains("for 2 reasons") && outcome.error.contains("\n  “port”: "))
    let json = await sandbox.run(["serve", "--configuration", "a.json", "--json"])
    #expect(json.status == 2)
    let error = try json.errorJSON()["error"]
    #expect(error?["code"] == "server_configuration" && error?["message"]?.string?.contains("“colour”: ") == true)
    #expect(await sandbox.run(["serve", "--configuration", "none.json"]).error.contains("none.json can't be read"))
    #expect(await sandbox.run(["serve", "--configuration", "none.json"]).status == 2)
    try Self.write("{", sandbox)
    #expect(await sandbox.run(["serve", "--configuration=a.json"]).error.contains("It is not JSON"))
    #expect(try sandbox.contents()["server/ostiary.sqlite"] == nil)
  }

  @Test("OP-08: where spans go is said by an option, by OpenTelemetry's variable, or by the file, in that order")
  func collector() throws {
    let file = #"{"trace": {"otlp": "http://127.0.0.1:1", "percent": 5}, "log": {"node": "one"}}"#
    let variables = ["OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:2"]
    func settings(_ text: String, _ arguments: [String], _ variables: [String: String]) throws -> TraceSettings? {
      let environment = try Sandbox().environment(variables: variables)
      return try Self.command(text, arguments, variables: variables).server(environment, Folders(environment)).tracing
    }
    #expect(try settings(file, ["--trace-otlp", "http://127.0.0.1:3"], variables)?.endpoint == "http://127.0.0.1:3")
    #expect(try settings(file, [], variables)?.endpoint == "http://127.0.0.1:2")
    let said = try settings(file, [], [:])
    #expect(said?.endpoint == "http://127.0.0.1:1" && said?.percent == 5 && said?.node == "one")
    #expect(try settings("{}", [], variables)?.percent == 100)
    #expect(try settings("{}", [], [:]) == nil)
    #expect(try settings("{}", [], ["OTEL_EXPORTER_OTLP_ENDPOINT": ""]) == nil)
  }

  // MARK: The schema and the example

  @Test("configuration: the schema that is printed is the committed one, and says what each setting is")
  func schema() async throws {
    let printed = await (try Sandbox()).run(["serve", "--print-configuration-schema"])
    #expect(printed.status == 0, "\(printed.error)")
    let file = Self.repository.appending(path: "docs/serve.schema.json")
    if ProcessInfo.processInfo.environment["OSTIARY_GOLDEN"] == "write" {
      try Data(printed.output.utf8).write(to: file)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == printed.output, "OSTIARY_GOLDEN=write renews it")
    let schema = try printed.json()
    for setting in ServeCommand.table.settings {
      let names = setting.name.split(separator: ".").map(String.init)
      let found = names.reduce(schema) { $0["properties"]?[$1] ?? .null }
      #expect(found["description"]?.string?.isEmpty == false, "\(setting.name)")
    }
    #expect(schema["additionalProperties"] == false)
  }

  @Test("configuration: the example is right, by the server and by the schema")
  func example() async throws {
    let text = try String(contentsOf: Self.repository.appending(path: "Packaging/ostiary.json"), encoding: .utf8)
    #expect(Self.problems(text) == [])
    let command = try Self.command(text)
    let environment = try Sandbox().environment()
    var server = try command.server(environment, Folders(environment))
    server.mail = try command.mail.configuration(serviceName: nil, environment)
    #expect(server.problems == [] && server.mail != nil)
    let document = try #require(JSONValue(json: Data(text.utf8)))
    #expect(SmallSchema(try ServeCommand.configurationSchema()).accepts(document))
  }

  @Test("configuration: a server starts with it")
  func running() async throws {
    let sandbox = try Sandbox()
    try Self.write(
      #"{"port": 0, "inMemory": true, "dev": true, "user": "ann", "passwordStdin": true, "json": true}"#, sandbox)
    let server = try RunningTool(Tool.url, ["serve", "--configuration", "a.json"], in: sandbox)
    server.send("apple")
    server.closeInput()
    let text = try await server.waitForOutput("\n}\n")
    let document = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    #expect(document["isDevelopment"] == true && document["data"] == nil)
    server.signal(SIGTERM)
    #expect(try await server.outcome().status == 0)
  }
}
