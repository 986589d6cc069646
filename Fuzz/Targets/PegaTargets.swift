import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryPega
import OstiaryTesting

extension FuzzTarget {
  /// A Pega server's answer: one byte for the status, one for the media type and the way of signing in, and the body.
  static let pegaAnswer = FuzzTarget(name: "pega-answer") { bytes in
    guard bytes.count >= 2, let url = URL(string: "https://pega.example/prweb") else { return }
    let statuses: [HTTPResponse.Status] = [.ok, .unauthorized, .forbidden, .seeOther, .tooManyRequests, .badGateway]
    let types = ["application/json", "text/html", "text/html; charset=UTF-8", ""]
    var head = HTTPResponse(status: statuses[Int(bytes[0]) % statuses.count])
    head.headerFields[.contentType] = types[Int(bytes[1]) % types.count]
    let response = TransportResponse(head, body: Data(bytes.dropFirst(2)), url: url)
    let methods = PegaSignInMethod.allCases
    let authenticator = try PegaAuthenticator(server: url, method: methods[Int(bytes[1] / 4) % methods.count])

    _ = authenticator.judge(response, to: try .get(url))
    let context = AuthenticationContext(transport: ScriptedTransport(handler: { _ in response }))
    do {
      let credential = Credential.password(username: "fuzz", password: "fuzzing")
      let grant = try await authenticator.signIn(with: credential, in: context)
      try require(head.status.kind == .successful, "only a success signs in")
      _ = PegaLogin(grant.attributes)
    } catch let error as OstiaryError {
      try require(!error.message.contains("fuzzing"), "an error holds no password")
    }
  }
}
