import Foundation
import HTTPTypes
import Logging
import OstiaryCore
import OstiaryDialect
import TestSupport

/// A process with the stored session of a shipped dialect, that sends requests and says what came of them. It never signs in.
struct DialectCaller {
  private let settings: DialectCallerSettings

  init(_ settings: DialectCallerSettings) {
    self.settings = settings
  }

  func run() async throws {
    let transport = SocketTransport(connections: 4)
    guard let shipped = ShippedDialects.named(settings.dialect) else {
      throw OstiaryError(.invalidInput, "No dialect \(settings.dialect) ships.")
    }
    let dialect = try shipped.dialect()
    var servers: [String: URL] = [:]
    for role in dialect.servers { servers[role.name] = settings.server }
    var configuration = SessionConfiguration()
    configuration.retry = RetryPolicy(attempts: 2, base: .milliseconds(5))
    let manager = SessionManager(
      authenticator: try DialectAuthenticator(
        dialect: dialect, servers: servers, settings: settings.settings.mapValues { Secret($0) },
        deviceName: "conformance"),
      transport: transport, store: try settings.store.make(), key: SessionKey(settings.key),
      configuration: configuration, logger: Logger(label: "dialect") { _ in SwiftLogNoOpLogHandler() })
    _ = await manager.restore()
    _ = try await transport.send(.get(settings.barrier))
    let http = AuthenticatedTransport(manager)
    let request = try TransportRequest.get(settings.thing)
    let answer = await withTaskGroup(of: String?.self) { group in
      for _ in 0..<settings.count {
        group.addTask {
          do {
            let status = try await http.send(request).status
            return status == .ok ? nil : "\(status)"
          } catch {
            return (error as? OstiaryError).map { "\($0.code): \($0.message)" } ?? "\(error)"
          }
        }
      }
      var answer = WorkerAnswer()
      for await failure in group {
        if let failure { answer.failures.append(failure) } else { answer.succeeded += 1 }
      }
      return answer
    }
    try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(answer))
  }
}
