// begin cases
import Foundation
import Ostiary
import OstiaryOAuth
import OstiarySalesforce

func showCases(of host: SalesforceLoginHost, clientID: String, keptIn folder: URL) async throws {
  let accounts = SalesforceAccounts(
    clientID: clientID, loginHost: host, transport: PlatformTransport(), store: FileStore(folder: folder))
  accounts.onEvent { event in print(event) }

  // Signs in once, on any device that has a browser; from then on the session is found in the folder.
  try await accounts.restore()
  if accounts.current == nil {
    try await accounts.signIn(
      with: .device(scope: "id api refresh_token") { device in
        print("Open \(device.verificationURI) and enter \(device.userCode)")
      })
  }

  // Salesforce doesn't say how long a token lasts: when it is refused, it is renewed once, however many calls wait, and the
  // calls are sent again.
  let cases = try await accounts.current?.send(.get("/services/data/v58.0/sobjects/Case"))
  print(cases?.status ?? "nobody", cases?.text ?? "")
}
// end cases
