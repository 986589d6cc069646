internal import Logging
internal import Ostiary

extension PrimerService {
  /// Answers a call that takes the vendor's service.
  func answerWithoutService(_ what: String, _ answer: @escaping @MainActor @Sendable () -> Void) {
    log.logger.warning(
      "There is no service for \(what) any more: Primer's was shut down. The call has an empty answer.")
    MainActorDelivery.deliver { answer() }
  }
}
