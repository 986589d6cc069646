import HTTPTypes

/// The routes for a supervisor, at the address of clients: they say whether, and never why.
enum HealthRoutes {
  /// When a supervisor is told to ask again.
  static let wait = Duration.seconds(5)

  /// - Parameter isReady: Whether requests can be answered.
  static func routes(isReady: @escaping @Sendable () async -> Bool) -> [Route] {
    [
      // Alive: the process answers. It does not depend on the storage, or a full disk would make supervisors kill the process.
      Route("/healthz", [.get: { _ in text("ok\n") }]),
      Route(
        "/readyz",
        [
          .get: { _ in
            guard await isReady() else {
              return text("unavailable\n", status: .serviceUnavailable).retrying(after: wait)
            }
            return text("ready\n")
          }
        ]),
    ]
  }

  static func text(_ text: String, status: HTTPResponse.Status = .ok) -> DoorResponse {
    DoorResponse(status: status, headers: [.contentType: "text/plain; charset=utf-8"], body: Array(text.utf8))
  }
}
