import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryNewzulu
import OstiaryTesting

extension FuzzTarget {
  /// A Newzulu server's answer to a login, a list and an upload: one byte for the status, and the body.
  static let newzuluAnswer = FuzzTarget(name: "newzulu-answer") { bytes in
    guard let first = bytes.first, let url = URL(string: "https://newzulu.example") else { return }
    let statuses: [HTTPResponse.Status] = [.ok, .unauthorized, .forbidden, .found, .tooManyRequests, .badGateway]
    let head = HTTPResponse(status: statuses[Int(first) % statuses.count])
    let response = TransportResponse(head, body: Data(bytes.dropFirst()), url: url)
    let network = ScriptedTransport(handler: { _ in response })

    let authenticator = try NewzuluAuthenticator(server: url, apiKey: "key", vhost: "1")
    if case .rejected = authenticator.judge(response, to: try .get(url)) {
      try require(head.status != .badGateway && head.status != .tooManyRequests, "only the server ends a session")
    }
    do {
      let credential = Credential.password(username: "fuzz", password: "fuzzing")
      let grant = try await authenticator.signIn(with: credential, in: AuthenticationContext(transport: network))
      try require(head.status.kind == .successful, "only a success signs in")
      try require(NewzuluUser(grant.attributes) != nil, "a session has a user")
    } catch let error as OstiaryError {
      try require(!"\(error) \(error.underlying as Any)".contains("fuzzing"), "an error holds no password")
    }
    let client = try NewzuluClient(server: url, apiKey: "key", vhost: "1", transport: network)
    if let list = try? await client.getFiles() {
      try require(list.files.allSatisfy { !$0.id.isEmpty }, "items have identifiers")
      for file in list.files { _ = (file.size, file.status, file.thumbnailURL) }
    }
  }

  /// A `data:` URL, and the table of an upload as a store might return it.
  static let newzuluUpload = FuzzTarget(name: "newzulu-upload") { bytes in
    if let url = URL(string: "data:" + String(decoding: bytes, as: UTF8.self)), let content = DataURL(url) {
      try require(content.data.count <= url.absoluteString.utf8.count, "decoding adds nothing")
    }
    guard let state = try? JSONDecoder().decode(NewzuluUploadState.self, from: Data(bytes)) else { return }
    _ = state.uploadedBytes
    try require(!"\(state)".contains("http"), "a state shows no address")
  }

  /// A file that describes a platform.
  static let newzuluConfiguration = FuzzTarget(name: "newzulu-configuration") { bytes in
    let platform: NewzuluPlatformConfiguration
    do {
      platform = try NewzuluPlatformConfiguration(json: Data(bytes))
    } catch let error as OstiaryError {
      try require(error.code == .newzuluConfiguration, "a file is refused as a configuration")
      try require(error.message.utf8.count < 4000, "a refusal is short")
      return
    }
    let server = platform.server ?? URL(string: "https://newzulu.example") ?? URL(filePath: "/")
    let authenticator = try NewzuluAuthenticator(
      server: server, apiKey: "key", vhost: "1", configuration: platform.names)
    let origin = Origin(server).map { "\($0)" } ?? "?"
    try require(authenticator.description.contains(origin), "a path stays at the server")
  }
}
