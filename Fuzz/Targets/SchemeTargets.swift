import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryGateway
import OstiaryTesting

extension FuzzTarget {
  /// A server that asks for authentication: a line for `WWW-Authenticate`, and one for `Authentication-Info`.
  static let headerScheme = FuzzTarget(name: "header-scheme") { bytes in
    guard let url = URL(string: "https://app.example/a/b?c") else { return }
    let lines = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
    var challenge = HTTPResponse(status: .unauthorized)
    challenge.headerFields[.wwwAuthenticate] = String(decoding: lines.first ?? [], as: UTF8.self)
    var success = HTTPResponse(status: .ok)
    success.headerFields[.authenticationInfo] = String(decoding: lines.dropFirst().first ?? [], as: UTF8.self)
    let transport = ScriptedTransport { [challenge, success] request in
      TransportResponse(request.head.headerFields[.authorization] == nil ? challenge : success, body: Data("body".utf8))
    }
    let authenticator = try HTTPAuthentication(server: url)
    let context = AuthenticationContext(transport: transport)
    do {
      let grant = try await authenticator.signIn(
        with: .password(username: "f\"u\\z\u{E9}", password: "fuzzing"), in: context)
      let session = Session(
        kind: authenticator.kind, server: url, version: ProofVersion(), grant: grant, issuedAt: Date())
      let proof = authenticator.attachment(for: session).perRequest
      for _ in 0..<3 {
        var request = try TransportRequest.get(url)
        proof?.attach(to: &request.head, body: nil)
        _ = proof?.review(success, body: Data("body".utf8), to: request, repetitions: 0)
        _ = proof?.review(challenge, body: nil, to: request, repetitions: 0)
      }
    } catch let error as OstiaryError {
      try require(!"\(error)".contains("fuzzing"), "an error holds no password")
    }
    for field in transport.requests.compactMap({ $0.head.headerFields[.authorization] }) {
      guard !field.hasPrefix("Basic ") else { continue }
      let shown = AuthenticationChallenge.parse(field)
      try require(shown?.count == 1 && shown?.first?.scheme == "digest", "what is shown can be read")
      try require(shown?.first?.parameters["response"] != nil, "it has a response")
      try require(!field.contains("fuzzing"), "it holds no password")
    }
  }
}
