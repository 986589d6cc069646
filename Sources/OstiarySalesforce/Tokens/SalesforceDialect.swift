internal import Foundation
internal import HTTPTypes
internal import OstiaryCore

/// Translates between what OAuth says and what Salesforce's token endpoint says: asks for JSON and reads XML all the
/// same, and knows the device flow's own names.
struct SalesforceDialect: Transport {
  private let inner: any Transport

  init(_ inner: any Transport) {
    self.inner = inner
  }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    Self.translated(try await inner.send(Self.translated(request)))
  }

  func stream(_ request: TransportRequest) async throws -> StreamingResponse { try await inner.stream(request) }

  private static func translated(_ request: TransportRequest) -> TransportRequest {
    guard let path = request.head.path, path.hasSuffix("/services/oauth2/token"), let body = request.body else {
      return request
    }
    var pairs = FormEncoding.parse(String(decoding: body, as: UTF8.self))
    if let index = pairs.firstIndex(where: { $0.name == "grant_type" }) {
      if pairs[index].value == "urn:ietf:params:oauth:grant-type:device_code" {
        pairs[index].value = "device"
        pairs = pairs.map { $0.name == "device_code" ? (name: "code", value: $0.value) : $0 }
      }
    } else if !pairs.contains(where: { $0.name == "response_type" }) {
      pairs.insert((name: "response_type", value: "device_code"), at: 0)
    }
    if !pairs.contains(where: { $0.name == "format" }) { pairs.insert((name: "format", value: "json"), at: 0) }
    var request = request
    request.body = Data(FormEncoding.serialize(pairs).utf8)
    return request
  }

  private static func translated(_ response: TransportResponse) -> TransportResponse {
    guard let type = response.mediaType, type == "application/xml" || type == "text/xml" else { return response }
    let leaves = FlatXML.leaves(of: String(decoding: response.body, as: UTF8.self))
    guard leaves.contains(where: { ["access_token", "error", "device_code"].contains($0.name) }),
      let body = try? JSONEncoder().encode(Dictionary(leaves.map { ($0.name, $0.text) }) { first, _ in first })
    else { return response }
    var response = response
    response.head.headerFields[.contentType] = "application/json"
    response.body = body
    return response
  }
}
