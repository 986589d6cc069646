// A client of a Salesforce org in a process of its own, for tests that kill it: `SalesforceWorker NAME LOGIN_HOST
// CONSUMER_KEY FOLDER` uses the session in a folder as it reads commands, and writes reports, one JSON document a line.
import Foundation
import OstiarySalesforce
import SalesforceWorkerSupport

let arguments = CommandLine.arguments
guard arguments.count == 5, let host = SalesforceLoginHost(arguments[2]) else { exit(64) }
let client = try await WorkerClient(
  name: arguments[1], loginHost: host, consumerKey: arguments[3], folder: arguments[4])
try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(client.report) + [0x0A])
while let line = readLine() {
  let report = try await client.run(JSONDecoder().decode(WorkerCommand.self, from: Data(line.utf8)))
  try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(report) + [0x0A])
}
