import Crypto
import Foundation
import OstiaryCore

/// Signs requests as AWS Signature Version 4 says, which S3-compatible stores have in common.
///
/// Source: Amazon S3 API Reference, "Authenticating Requests: Using the Authorization Header".
struct SignatureV4: Sendable {
  let credentials: UploadBucket.Credentials
  let region: String

  /// A request as it is signed. Names of fields are in lower case; neither they nor the path need escapes.
  struct Request: Sendable {
    var method: String
    var host: String
    var path: String
    var query: [(name: String, value: String)] = []
    /// More fields that are signed.
    var fields: [(name: String, value: String)] = []
    var body: Data = Data()
  }

  /// The fields that a request needs, the signature among them.
  func fields(for request: Request, at now: Date) -> [(name: String, value: String)] {
    let moment = Self.moment(now)
    let day = String(moment.prefix(8))
    let payload = SHA256.hash(data: request.body).hexadecimal
    var fields = request.fields + [("host", request.host), ("x-amz-content-sha256", payload), ("x-amz-date", moment)]
    if let token = credentials.token { fields.append(("x-amz-security-token", token.reveal())) }
    fields.sort { $0.name < $1.name }
    let names = fields.map(\.name).joined(separator: ";")
    let canonical =
      "\(request.method)\n\(request.path)\n\(Self.query(request.query))\n"
      + fields.map { "\($0.name):\($0.value)\n" }.joined() + "\n\(names)\n\(payload)"
    let scope = "\(day)/\(region)/s3/aws4_request"
    let text = "AWS4-HMAC-SHA256\n\(moment)\n\(scope)\n" + SHA256.hash(data: Data(canonical.utf8)).hexadecimal
    var key = SymmetricKey(data: Data("AWS4\(credentials.secret.reveal())".utf8))
    for part in [day, region, "s3", "aws4_request"] {
      key = SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: Data(part.utf8), using: key))
    }
    let signature = HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key).hexadecimal
    let authorization =
      "AWS4-HMAC-SHA256 Credential=\(credentials.id)/\(scope),SignedHeaders=\(names),Signature=\(signature)"
    return fields.filter { $0.name != "host" } + [("authorization", authorization)]
  }

  /// A query as it is signed and sent: in order, with each byte escaped that is not unreserved (RFC 3986 §2.3).
  static func query(_ items: [(name: String, value: String)]) -> String {
    items.map { (escaped($0.name), escaped($0.value)) }.sorted { $0 < $1 }.map { "\($0)=\($1)" }.joined(separator: "&")
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      if byte.isBase64URL || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "~") {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        result += "%" + [byte].hexadecimal.uppercased()
      }
    }
    return result
  }

  /// `20130524T000000Z`
  private static func moment(_ now: Date) -> String {
    now.formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
  }
}
