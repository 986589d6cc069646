internal import Foundation
internal import HTTPTypes
internal import Ostiary

/// Sends the requests of a sign-in with the client's fields and time-out, and notes the names of the forms that come, so that an
/// error can say which name of the configuration does not fit. Values are not kept.
struct FormObserver: Transport {
  /// What was seen of one form.
  private struct SeenForm: Hashable {
    let action: String
    let fields: [String]
  }

  private struct State {
    var forms: [SeenForm] = []
    var lastForm: URL?
  }

  let network: any Transport
  let timeout: Duration
  /// Fields that every request to the server itself carries.
  let fields: [String: String]
  let server: ServerAddress
  private let state = Locked(State())

  init(_ network: any Transport, timeout: Duration, fields: [String: String], server: ServerAddress) {
    (self.network, self.timeout, self.fields, self.server) = (network, timeout, fields, server)
  }

  /// Where the last form was sent to.
  var lastForm: URL? { state.withLock { $0.lastForm } }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    var request = request
    request.timeout = timeout
    if Origin(request.head) == server.origin {
      for (name, value) in fields {
        guard let name = HTTPField.Name(name), HTTPField.isValidValue(value) else { continue }
        request.head.headerFields[name] = value
      }
    }
    if request.head.method == .post { state.withLock { $0.lastForm = request.head.targetURL } }
    let response = try await network.send(request)
    note(response)
    return response
  }

  func stream(_ request: TransportRequest) async throws -> StreamingResponse {
    let response = try await send(request)
    return StreamingResponse(response.head, body: ResponseBody([response.body]), url: response.url)
  }

  private func note(_ response: TransportResponse) {
    guard response.head.headerFields[.contentType]?.lowercased().contains("html") ?? !response.body.isEmpty else {
      return
    }
    let forms = HTMLPage(response).forms.map { form in
      SeenForm(
        action: String((form.action ?? "").prefix { $0 != "?" && $0 != ";" }), fields: form.fields.compactMap(\.name))
    }
    state.withLock { state in
      for form in forms where state.forms.count < 16 && !state.forms.contains(form) { state.forms.append(form) }
    }
  }

  /// Which names of a configuration fit none of the forms that were seen; empty when all do, or none was seen.
  func mismatches(of configuration: MobileFirstGatewayConfiguration) -> [String] {
    let forms = state.withLock { $0.forms }
    guard !forms.isEmpty else { return [] }
    var found: [String] = []
    if let action = configuration.formAction, !forms.contains(where: { $0.action.hasSuffix(action) }) {
      found.append(
        "No form of the gateway is sent to an address that ends with \"\(action)\" (formAction); the addresses are "
          + "\(Self.list(forms.map(\.action))).")
    }
    let names = forms.flatMap(\.fields)
    for (key, name) in [("usernameField", configuration.usernameField), ("passwordField", configuration.passwordField)]
    {
      guard let name, !names.contains(name) else { continue }
      found.append("No form of the gateway has a field \"\(name)\" (\(key)); the fields are \(Self.list(names)).")
    }
    return found
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(12).map { "\"\($0.prefix(80))\"" }.joined(separator: ", ")
  }
}
