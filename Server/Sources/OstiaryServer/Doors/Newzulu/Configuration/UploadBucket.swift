import Foundation
package import OstiaryCore

/// A bucket of an S3-compatible store, and how it is addressed.
package struct UploadBucket: Sendable {
  /// What is asked for signing requests.
  package struct Credentials: Sendable {
    let id: String
    let secret: Secret
    /// Of credentials that are valid for a limited time.
    let token: Secret?

    /// - Returns: nil for texts that can't be credentials.
    package init?(id: String, secret: Secret, token: Secret? = nil) {
      let isID = (1...128).contains(id.utf8.count) && id.utf8.allSatisfy { $0.isBase64URL }
      let isVisible = { (text: String) in text.utf8.allSatisfy { (0x21...0x7E).contains($0) } }
      guard isID, !secret.isEmpty, isVisible(secret.reveal()), token?.isEmpty != true, isVisible(token?.reveal() ?? "")
      else { return nil }
      self.id = id
      self.secret = secret
      self.token = token
    }

    /// Reads what AWS's own programs read: `aws_access_key_id`, `aws_secret_access_key` and, where there is one, `aws_session_token`, each
    /// with `=` and its value. A line in brackets names a profile; one is enough.
    package init?(lines: [String]) {
      var values: [String: String] = [:]
      for line in lines where !line.hasPrefix("[") {
        guard let (name, value) = Self.pair(line), values.updateValue(value, forKey: name) == nil else { return nil }
      }
      guard let id = values["aws_access_key_id"], let secret = values["aws_secret_access_key"] else { return nil }
      self.init(id: id, secret: Secret(secret), token: values["aws_session_token"].map { Secret($0) })
    }

    private static func pair(_ line: String) -> (String, String)? {
      guard let equals = line.firstIndex(of: "=") else { return nil }
      let parts = [line[..<equals], line[line.index(after: equals)...]].map { $0.trimmingCharacters(in: .whitespaces) }
      return parts[0].isEmpty || parts[1].isEmpty ? nil : (parts[0].lowercased(), parts[1])
    }
  }

  /// The server that has it.
  let endpoint: Origin
  let name: String
  /// What stands before the names of parts: empty, or with a slash at its end.
  let prefix: String
  package var region = "us-east-1"
  /// Whether the bucket is a part of the host's name, and not of the path.
  package var isPartOfHost = false
  /// Whether parts may be sent without TLS to another machine.
  package var allowsInsecureHTTP = false
  let credentials: Credentials
  /// The bytes of a piece: what a part on its way takes of memory.
  var pieceSize = 8 << 20
  /// The waits before a request is sent again.
  var waits: [Duration] = [.milliseconds(100), .milliseconds(400), .milliseconds(1600)]
  /// After so much time a request is not sent again: a store that doesn't answer at all keeps the client waiting each time.
  var patience = Duration.seconds(30)

  /// - Parameters:
  ///   - address: `https://host/bucket`, or with a prefix behind it.
  ///   - credentials: what requests are signed with.
  /// - Returns: nil for another text.
  package init?(_ address: String, credentials: Credentials) {
    guard let colon = address.range(of: "://"), !address.utf8.contains(UInt8(ascii: "?")) else { return nil }
    let parts = address[colon.upperBound...].split(separator: "/", omittingEmptySubsequences: false)
    guard let authority = parts.first,
      let endpoint = Origin(
        scheme: String(address[..<colon.lowerBound]), authority: String(authority)), parts.count >= 2
    else { return nil }
    var names = parts.dropFirst().map(String.init)
    if names.last?.isEmpty == true { names.removeLast() }
    guard let bucket = names.first, Self.isBucketName(bucket), names.allSatisfy(Self.isSegment),
      names.joined(separator: "/").utf8.count <= 512
    else { return nil }
    self.endpoint = endpoint
    name = bucket
    prefix = names.dropFirst().map { $0 + "/" }.joined()
    self.credentials = credentials
  }

  /// Whether nothing between the server and the bucket reads along.
  var isSafe: Bool { endpoint.isSecure || endpoint.isLoopback || allowsInsecureHTTP }

  /// The authority that requests go to.
  var authority: String { isPartOfHost ? "\(name).\(endpoint.authority)" : endpoint.authority }

  /// The path of an object; without one, of the bucket. Its characters need no escape.
  func path(_ key: String?) -> String {
    (isPartOfHost ? "/" : "/\(name)" + (key == nil ? "" : "/")) + (key ?? "")
  }

  /// What the name of each part of an upload begins with.
  func prefix(ofUpload id: Int64) -> String { "\(prefix)\(id)/" }

  private static func isBucketName(_ text: String) -> Bool {
    (3...63).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D || $0 == 0x2E }
  }

  private static func isSegment(_ text: String) -> Bool {
    !text.isEmpty && text != "." && text != ".."
      && text.utf8.allSatisfy { $0.isBase64URL || $0 == UInt8(ascii: ".") }
  }
}
