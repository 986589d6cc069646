import Foundation
import NetworkTestSupport
import SalesforceWorkerSupport

/// A client in a process of its own. It is killed when the value is gone.
final class WorkerProcess: Sendable {
  private let process: LineProcess
  private let reports: AsyncStream<WorkerReport>

  /// Starts one.
  /// - Parameter name: what its requests say of it.
  init(name: String, loginHost: String, consumerKey: String, folder: URL) throws {
    let (stream, continuation) = AsyncStream.makeStream(of: WorkerReport.self)
    reports = stream
    process = try LineProcess(
      "SalesforceWorker", [name, loginHost, consumerKey, folder.path(percentEncoded: false)]
    ) { line in
      guard let line else { return continuation.finish() }
      if let report = try? JSONDecoder().decode(WorkerReport.self, from: line) { continuation.yield(report) }
    }
  }

  /// Tells it to do something.
  func tell(_ command: WorkerCommand) throws { process.write(try JSONEncoder().encode(command)) }

  /// Its next report; nil when it has ended.
  func report() async -> WorkerReport? {
    var iterator = reports.makeAsyncIterator()
    return await iterator.next()
  }

  /// Ends it in the middle of its work, without waiting for that.
  func kill() { process.killAtOnce() }
}
