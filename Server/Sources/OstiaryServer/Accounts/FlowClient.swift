/// Whoever submits a flow.
struct FlowClient: Sendable {
  /// The browser's number; nil for the JSON interface.
  let browser: String?
  /// Whoever is signed in.
  var user: User?
  /// For limits and the log.
  var address: String
  let requestID: String
  /// The browser, if it has signed in here before.
  var device: KnownDevice?

  var source: GuessSource { GuessSource(address: ClientAddress(address), device: device) }
}
