import Foundation
import HTTPTypes
import Ostiary
import OstiaryCore
import OstiarySalesforce
import SalesforceWorkerSupport

/// A client with the session that rests in a folder.
struct WorkerClient: Sendable {
  private let accounts: SalesforceAccounts

  /// Takes up the session.
  /// - Parameter name: what every request says of its sender.
  init(name: String, loginHost: SalesforceLoginHost, consumerKey: String, folder: String) async throws {
    var configuration = SalesforceAccountsConfiguration()
    // However slow the machine is, and however many have to take their turn.
    configuration.sessions.patience = .seconds(600)
    accounts = SalesforceAccounts(
      clientID: consumerKey, loginHost: loginHost, transport: NamedTransport(name: name),
      store: FileStore(folder: URL(filePath: folder, directoryHint: .isDirectory)), configuration: configuration)
    try await accounts.restore()
  }

  var report: WorkerReport { WorkerReport(user: accounts.current?.identity.name) }

  /// Does everything at once.
  func run(_ command: WorkerCommand) async throws -> WorkerReport {
    let creations = try command.subjects.map { subject in
      try SalesforceCall.post(
        "/services/data/v59.0/sobjects/Case", json: .object(["Subject": .string(subject)]))
    }
    let outcomes = await withTaskGroup(of: String.self) { group in
      for _ in 0..<command.reads { group.addTask { await outcome(.get("/services/data/v59.0/limits")) } }
      for creation in creations { group.addTask { await outcome(creation) } }
      return await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
    }
    var report = report
    report.outcomes = outcomes
    return report
  }

  private func outcome(_ call: SalesforceCall) async -> String {
    guard let account = accounts.current else { return "nobody is signed in" }
    do {
      return String(try await account.send(call).status.code)
    } catch {
      return (error as? OstiaryError).map { "\($0.code)" } ?? "\(error)"
    }
  }
}
