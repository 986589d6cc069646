import HTTPTypes
package import OstiaryCore

/// A transport that says which process a request is from, and passes a step before and after the session's own requests.
package struct SteppedTransport: Transport {
  private let inner: any Transport
  private let number: Int
  private let trap: StepTrap

  package init(_ inner: any Transport, number: Int, _ trap: StepTrap) {
    self.inner = inner
    self.number = number
    self.trap = trap
  }

  private static let process = HTTPField.Name("X-Process")

  package func send(_ request: TransportRequest) async throws -> TransportResponse {
    let (request, step) = prepare(request)
    if let step { trap.pass("\(step) begins") }
    let response = try await inner.send(request)
    if let step { trap.pass("\(step) done") }
    return response
  }

  package func stream(_ request: TransportRequest) async throws -> StreamingResponse {
    try await inner.stream(prepare(request).request)
  }

  private func prepare(_ request: TransportRequest) -> (request: TransportRequest, step: String?) {
    var request = request
    if let name = Self.process { request.head.headerFields[name] = "\(number)" }
    let path = request.head.path ?? ""
    return (request, ["/sign-in", "/renew", "/sign-out", "/token"].first { path.hasSuffix($0) })
  }
}
