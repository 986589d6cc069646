import Foundation
import NetworkTestSupport
import OstiaryCore
import OstiaryTesting

/// The machines of the article: folders of this one, each with an address of its own on the loopback, and what runs on them.
///
/// The article's blocks are run as they are written. What they mean by their names is said by variables, which the article's own first
/// block reads, and these programs stand in for others:
///
/// - `scp` copies between the folders;
/// - `nginx` is the real one, which is told where its files are.
final class ArticleMachines: Sendable {
  /// What is not installed here; nil if nothing is missing.
  static let missing: String? = {
    #if os(Linux)
      if ClusterDatabase.programs == nil { return ClusterDatabase.absence }
      if nginx == nil { return "nginx is not installed (Debian: nginx-light)." }
      for program in ["openssl", "curl", "timeout"] where ChildProcess.find(program) == nil {
        return "\(program) is not installed."
      }
      return nil
    #else
      return "One machine with several loopback addresses takes Linux."
    #endif
  }()
  private static let nginx = ChildProcess.find("nginx", alsoIn: ["/usr/sbin", "/usr/local/sbin"])
  private static let addresses = [
    "one": "127.0.0.1", "two": "127.0.0.2", "three": "127.0.0.3", "balancer": "127.0.0.1", "database": "127.0.0.4",
  ]

  let folder: String
  /// What clients call.
  let origin: String
  private let names: String
  private let guardian: Guardian
  private let database: ArticleDatabase
  private let balancer: ClusterProcess
  private let variables: [String: String]
  private let services = Locked<[String: Service]>([:])

  /// A server on one of the machines: what was typed to start it, and its process while it has one.
  private struct Service {
    let block: ArticleBlocks.Block
    var process: ClusterProcess?
  }

  /// A block that did not do what the article says.
  struct Failed: Error, CustomStringConvertible {
    let block: ArticleBlocks.Block
    let machine: String
    let problem: String
    var description: String { "line \(block.line), on \(machine): \(problem)\n\(block.text)" }
  }

  /// - Parameters:
  ///   - folder: which must not exist; every user must be able to reach it.
  ///   - names: the article's first block.
  init(folder: String, names: String) async throws {
    (self.folder, self.names) = (folder, names)
    let files = FileManager.default
    for path in ["bin", "nginx", "tmp"] + Set(Self.addresses.values).map({ "\($0)/home" })
    where !path.hasPrefix("127.0.0.4") {
      try files.createDirectory(atPath: "\(folder)/\(path)", withIntermediateDirectories: true)
    }
    let ports = try (0..<3).map { _ in try LoopbackPort.free() }
    let origin = "https://localhost:\(ports[1])"
    self.origin = origin
    let built = try LineProcess.program("ostiary").deletingLastPathComponent().path(percentEncoded: false)
    let postgresql = ClusterDatabase.programs?.path(percentEncoded: false) ?? ""
    variables = [
      "PATH": "\(folder)/bin:\(built):\(postgresql):/usr/bin:/bin", "LC_ALL": "C.UTF-8",
      "TMPDIR": "\(folder)/tmp", "MACHINES": folder, "CURL_CA_BUNDLE": "\(folder)/site.crt",
      "ONE": "127.0.0.1", "TWO": "127.0.0.2", "THREE": "127.0.0.3", "PORT": "\(ports[0])", "BALANCER": "127.0.0.1",
      "DB": "127.0.0.4", "DB_PORT": "\(ports[2])", "NETWORK": "127.0.0.0/8", "PUBLIC": origin,
      "LISTEN": "127.0.0.1:\(ports[1])", "CERTIFICATE": "\(folder)/site", "SITE": "\(folder)/nginx/ostiary.conf",
    ]
    let guardian = try Guardian()
    let database = try await ArticleDatabase(folder: "\(folder)/127.0.0.4", port: ports[2], guardian: guardian)
    (self.guardian, self.database) = (guardian, database)
    do {
      balancer = try await Self.startNginx(in: folder, guardian)
    } catch {
      await database.end()
      throw error
    }
  }

  /// Ends all processes.
  func end() async {
    for machine in services.withLock({ Array($0.keys) }) { await stop(machine, SIGKILL) }
    // In order, so that its workers end with it.
    await balancer.end(SIGTERM)
    await database.end()
  }

  // MARK: What the article says

  /// Does what a block says on its machines, one after another.
  /// - Returns: what the block's commands have written, of the last machine.
  @discardableResult
  func perform(_ block: ArticleBlocks.Block, all blocks: [ArticleBlocks.Block]) async throws -> String {
    var output = ""
    for machine in block.machines {
      switch block.action {
      case .names, .untried: break
      case .restart where machine == "database": try await database.restart()
      case .restart: try await restart(machine)
      case .stop: await stop(machine, SIGTERM)
      case .run(let occasion): output = try await perform(block, occasion, on: machine)
      case .again(let name):
        for named in blocks {
          guard case .run(let occasion) = named.action, occasion.name == name else { continue }
          output = try await perform(named, occasion, on: machine)
        }
      }
    }
    return output
  }

  private func perform(
    _ block: ArticleBlocks.Block, _ occasion: ArticleBlocks.Occasion, on machine: String
  ) async throws -> String {
    if occasion.stays {
      services.withLock { $0[machine] = Service(block: block) }
      try await restart(machine)
      return ""
    }
    // What servers tell each other takes them a moment.
    for _ in 0..<600 {
      let output = try await run(block, on: machine)
      guard let lines = occasion.lines, output.split(separator: "\n").count != lines else { return output }
      try await Task.sleep(for: .milliseconds(100))
    }
    throw Failed(block: block, machine: machine, problem: "It has never written the lines that were expected.")
  }

  /// Runs a block to its end.
  private func run(_ block: ArticleBlocks.Block, on machine: String) async throws -> String {
    var command = (URL(filePath: "/bin/bash"), ["-euo", "pipefail", "-c", names + block.text])
    if machine == "database" { command = ClusterDatabase.asOwner(command.0, command.1) }
    let result = try await ChildProcess.run(
      URL(filePath: "/usr/bin/timeout"), ["240", command.0.path(percentEncoded: false)] + command.1,
      environment: environment(of: machine), directory: URL(filePath: home(of: machine)))
    guard result.status == 0 else {
      throw Failed(block: block, machine: machine, problem: "\(result.status): \(result.output)\(result.error)")
    }
    return result.output
  }

  // MARK: What a service manager does

  private func restart(_ machine: String) async throws {
    await stop(machine, SIGTERM)
    guard let service = services.withLock({ $0[machine] }) else { return }
    let log = "\(folder)/\(machine).log"
    do {
      // It takes the shell's place, so that signals are for it.
      let process = try await ClusterProcess(
        URL(filePath: "/bin/bash"),
        ["-euo", "pipefail", "-c", "ostiary() { exec ostiary \"$@\"; }\n" + names + service.block.text],
        environment: environment(of: machine), readsErrors: false, log: URL(filePath: log), guardian: guardian,
        until: "Listening on")
      services.withLock { $0[machine]?.process = process }
    } catch {
      let told = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
      throw Failed(block: service.block, machine: machine, problem: "\(error)\n\(told.suffix(2000))")
    }
  }

  private func stop(_ machine: String, _ signal: Int32) async {
    let running = services.withLock { services in
      defer { services[machine]?.process = nil }
      return services[machine]?.process
    }
    await running?.end(signal)
  }

  // MARK: Surroundings

  private func home(of machine: String) -> String { "\(folder)/\(Self.addresses[machine] ?? "")/home" }

  /// The folder that is /etc/ostiary there.
  func settings(of machine: String) -> String { "\(folder)/\(Self.addresses[machine] ?? "")/etc/ostiary" }

  private func environment(of machine: String) -> [String: String] {
    let address = Self.addresses[machine] ?? ""
    let root = "\(folder)/\(address)"
    var own = variables.merging([
      "SELF": address, "HOME": home(of: machine), "ETC": settings(of: machine), "DATA": "\(root)/var/lib/ostiary",
      "RUN": "\(root)/run/ostiary", "BACKUPS": "\(root)/var/backups/ostiary",
    ]) { $1 }
    if machine == "database" {
      let port = variables["DB_PORT"] ?? ""
      own.merge(["PGHOST": root, "PGPORT": port, "PGUSER": "postgres", "TMPDIR": home(of: machine)]) { $1 }
    }
    return own
  }

  /// Makes the programs that stand in for others and the site's certificate, and starts nginx without a site.
  private static func startNginx(in folder: String, _ guardian: Guardian) async throws -> ClusterProcess {
    let program = nginx ?? URL(filePath: "/usr/sbin/nginx")
    let own = "\(folder)/nginx"
    let globals = "pid \(own)/pid; error_log stderr notice;"
    let scratch = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(own)/\($0);" }
    // As the only user that there may be in a namespace of the tests.
    try """
    \(getuid() == 0 ? "user root;" : "")
    events {}
    http {
      access_log off; \(scratch.joined(separator: " "))
      include \(own)/ostiary.conf*;
    }

    """.write(toFile: "\(own)/nginx.conf", atomically: false, encoding: .utf8)
    let options = ["-e", "stderr", "-c", "\(own)/nginx.conf"]
    try await ChildProcess.writeScript(
      """
      #!/bin/bash
      exec '\(program.path(percentEncoded: false))' \(options.joined(separator: " ")) -g '\(globals)' "$@"

      """, to: URL(filePath: "\(folder)/bin/nginx"))
    try await ChildProcess.writeScript(scp, to: URL(filePath: "\(folder)/bin/scp"))
    let openssl = ChildProcess.find("openssl") ?? URL(filePath: "/usr/bin/openssl")
    let certificate = try await ChildProcess.run(
      openssl,
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
        "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", "\(folder)/site.key", "-out",
        "\(folder)/site.crt",
      ])
    guard certificate.status == 0 else {
      throw ClusterDatabase.Failed(description: "openssl: \(certificate.error)")
    }
    return try await ClusterProcess(
      program, options + ["-g", "daemon off; " + globals],
      environment: ["PATH": "/usr/bin:/bin"], readsErrors: true, log: URL(filePath: "\(folder)/nginx.log"),
      guardian: guardian, until: "start worker process ")
  }

  /// `HOST:PATH` is that path in the host's folder, or in the home there.
  private static let scp = """
    #!/bin/bash
    files=()
    for word in "$@"; do
      host=${word%%:*}
      case $word in
        -p) ;;
        *:/*) files+=("$MACHINES/${host#*@}${word#*:}") ;;
        *:*) files+=("$MACHINES/${host#*@}/home/${word#*:}") ;;
        *) files+=("$word") ;;
      esac
    done
    exec cp --preserve=mode,timestamps -- "${files[@]}"

    """
}
