import Foundation
import Ostiary
import OstiarySalesforce

/// Lists the cases of an org.
///
///     SalesforceCases https://login.salesforce.com CONSUMER_KEY FOLDER
@main
struct Main {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let host = SalesforceLoginHost(arguments[1]) else {
      print("usage: SalesforceCases LOGIN_HOST CONSUMER_KEY FOLDER")
      exit(2)
    }
    do {
      try await showCases(
        of: host, clientID: arguments[2], keptIn: URL(filePath: arguments[3], directoryHint: .isDirectory))
    } catch let error as OstiaryError {
      print("\(error)")
      exit(1)
    }
  }
}
