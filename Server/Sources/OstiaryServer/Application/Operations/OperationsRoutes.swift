import HTTPTypes
import OstiaryCore

/// The routes of the listener for operations.
struct OperationsRoutes: Sendable {
  let readiness: @Sendable () async -> ReadinessReport
  let metrics: @Sendable () async -> String

  var routes: [Route] {
    [
      Route("/healthz", [.get: { _ in HealthRoutes.text("ok\n") }]),
      Route("/readyz", [.get: { try await show(readiness(), for: $0) }]),
      Route(
        "/metrics",
        [
          .get: { _ in
            var answer = HealthRoutes.text(await metrics())
            answer.headers[.contentType] = PrometheusText.mediaType
            return answer
          }
        ]),
    ]
  }

  private func show(_ report: ReadinessReport, for request: DoorRequest) throws -> DoorResponse {
    let status: HTTPResponse.Status = report.isReady ? .ok : .serviceUnavailable
    var answer =
      request.prefersJSON
      ? try DoorResponse.json(report.json, status: status) : HealthRoutes.text(report.text, status: status)
    answer.headers[.vary] = "Accept"
    return report.isReady ? answer : answer.retrying(after: HealthRoutes.wait)
  }
}
