import Foundation
import HTTPTypes
package import OstiaryCore
import OstiaryTesting

/// The network of a life: each request stops on its way, and so does its answer. Either may be lost, and a portal, a proxy or
/// a server in trouble may answer in the server's place.
///
/// Used by the thread of the life alone.
package final class SimulatedNetwork: BodyReadingTransport, @unchecked Sendable {
  /// What happens to requests on their way, as probabilities.
  package struct Weather: Sendable {
    package var lost = 0.0
    package var foreign = 0.0

    package init(lost: Double = 0, foreign: Double = 0) {
      self.lost = lost
      self.foreign = foreign
    }
  }

  package let simulation: Simulation
  package var weather = Weather()
  /// Called with each answer of the server that did not arrive, also because its caller was cancelled.
  package var onLostAnswer: (TransportRequest, TransportResponse) -> Void = { _, _ in }
  private let server: (TransportRequest) async throws -> TransportResponse

  /// - Parameter server: answers what arrives.
  package init(
    _ simulation: Simulation, server: @escaping (TransportRequest) async throws -> TransportResponse
  ) {
    self.simulation = simulation
    self.server = server
  }

  /// Decides what the weather of a life is: calm in most lives.
  package func chooseWeather() {
    weather.lost = simulation.one(of: [0, 0, 0.1])
    weather.foreign = simulation.one(of: [0, 0, 0.15])
  }

  package func send(_ request: TransportRequest) async throws -> TransportResponse {
    let name = "\(request.head.method) \(request.head.path ?? "")"
    await simulation.checkpoint("\(name) sent")
    try Task.checkCancellation()
    if simulation.chance(weather.lost) { throw Self.lost(request) }
    let isForeign = simulation.chance(weather.foreign)
    let response = isForeign ? foreign : try await server(request)
    simulation.note("  → \(response.status.code)\(isForeign ? ", foreign" : "")")
    await simulation.checkpoint("\(name) answered")
    let isLost = simulation.chance(weather.lost)
    if isLost || Task.isCancelled, !isForeign { onLostAnswer(request, response) }
    try Task.checkCancellation()
    if isLost { throw Self.lost(request) }
    return response
  }

  package func stream(_ request: TransportRequest) async throws -> StreamingResponse {
    let response = try await send(request)
    return StreamingResponse(
      response.head, body: ResponseBody([response.body]), url: response.url ?? request.head.targetURL)
  }

  package func send(_ request: TransportRequest, reading body: BodySource) async throws -> TransportResponse {
    var request = request
    var bytes = Data(count: body.length)
    try bytes.withUnsafeMutableBytes { try body.read(at: 0, into: $0) }
    request.body = bytes
    return try await send(request)
  }

  private static func lost(_ request: TransportRequest) -> OstiaryError {
    OstiaryError(.connectionLost, "Lost.", request: request.head)
  }

  private var foreign: TransportResponse {
    simulation.one(of: [
      .html("<html>Sign in</html>"), .html("<html>Sign in</html>", status: .unauthorized),
      .html("<html>No</html>", status: .forbidden), .html("<html>No</html>", status: .notFound),
      .status(.serviceUnavailable), .status(.internalServerError),
    ])
  }
}
