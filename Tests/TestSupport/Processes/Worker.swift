import Foundation
import HTTPTypes
import Logging
package import OstiaryCore
import OstiaryTesting

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// A process with a session, led by its standard input. It ends with that.
package struct Worker: Sendable {
  private let manager: SessionManager
  private let http: AuthenticatedTransport
  private let clock: ShiftedClock
  private let trap: StepTrap
  private let things: URL

  /// Does what the input says, line by line.
  package static func run() async throws {
    if CommandLine.arguments.count == 2 {
      let store = try JSONDecoder().decode(WorkerStore.self, from: Data(CommandLine.arguments[1].utf8))
      return await StoreProcess.serve(try store.make())
    }
    guard let line = readLine() else { return }
    let worker = try Worker(JSONDecoder().decode(WorkerSettings.self, from: Data(line.utf8)))
    while let line = readLine() {
      let answer = try await worker.obey(JSONDecoder().decode(WorkerCommand.self, from: Data(line.utf8)))
      let data = try JSONEncoder().encode(answer) + [0x0A]
      try FileHandle.standardOutput.write(contentsOf: data)
    }
  }

  private init(_ settings: WorkerSettings) throws {
    let trap = try StepTrap()
    self.trap = trap
    clock = ShiftedClock(ahead: settings.ahead)
    let transport = SteppedTransport(SocketTransport(), number: settings.number, trap)
    var configuration = SessionConfiguration()
    configuration.patience = .seconds(settings.patience)
    configuration.retry = RetryPolicy(attempts: 2, base: .milliseconds(5))
    let authenticator: any Authenticator =
      if let tokens = settings.tokenEndpoint {
        try Self.boundAuthenticator(server: settings.server, tokens: tokens)
      } else {
        ScriptedAuthenticator(server: settings.server)
      }
    manager = SessionManager(
      authenticator: authenticator, transport: transport,
      credentials: settings.hasCredential ? .upFront(Self.ann) : .manual,
      store: SteppedStore(try settings.store.make { trap.pass($0) }, trap), key: SessionKey(settings.key),
      configuration: configuration, clock: clock,
      logger: Logger(label: "worker") { _ in SwiftLogNoOpLogHandler() })
    http = AuthenticatedTransport(manager)
    things = settings.server.appending(path: "things")
  }

  /// Who signs in.
  package static let ann = Credential.password(username: "ann", password: "apple")

  private func obey(_ command: WorkerCommand) async -> WorkerAnswer {
    var answer = WorkerAnswer()
    do {
      switch command {
      case .requests(let count): answer = await requests(count)
      case .signIn: try await manager.signIn(with: Self.ann)
      case .signOut:
        let report = await manager.signOut()
        if let error = report.storeError { throw error }
      case .setAhead(let seconds): clock.ahead = seconds
      case .arm(let trap): self.trap.arm(trap)
      }
    } catch {
      answer.failures.append(Self.describe(error))
    }
    answer.user = manager.current?.user.id
    await trap.waitForQuiet()
    answer.steps = trap.steps
    return answer
  }

  private func requests(_ count: Int) async -> WorkerAnswer {
    await withTaskGroup(of: String?.self) { group in
      for _ in 0..<count {
        group.addTask {
          do {
            let status = try await http.send(.get(things)).status
            return status == .ok ? nil : "\(status)"
          } catch {
            return Self.describe(error)
          }
        }
      }
      var answer = WorkerAnswer()
      for await failure in group {
        if let failure { answer.failures.append(failure) } else { answer.succeeded += 1 }
      }
      return answer
    }
  }

  private static func describe(_ error: any Error) -> String {
    (error as? OstiaryError).map { "\($0.code): \($0.message)" } ?? "\(error)"
  }
}
