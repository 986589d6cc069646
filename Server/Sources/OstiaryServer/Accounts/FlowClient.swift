/// Whoever submits a flow.
struct FlowClient: Sendable {
  /// The browser's number; nil for the JSON interface.
  let browser: String?
  /// Whoever is signed in.
  var user: User?
  /// For limits and the log.
  let address: String
  let requestID: String
}
