import CoreMetrics
import Foundation
import Logging
import OstiaryCore
import Tracing

/// The self-service flows and the mail that they send, for the lifetime of the server.
struct AccountServices: Sendable {
  let configuration: AccountConfiguration
  /// Stores the mail of a development server.
  let mailbox: InsecureDevelopmentMailbox?
  private let dispatcher: MailDispatcher?
  private let outbox: Outbox
  private let storage: ServerStorage
  /// The document from which pages are drawn, and what of it is not.
  let experience: AccountExperience.Report?

  /// - Throws: if the mail server's authorities can't be used.
  init(
    _ configuration: AccountConfiguration, mail: MailConfiguration?, isDevelopment: Bool, storage: ServerStorage,
    clock: any SessionClock, logger: Logger, metrics: any MetricsFactory = NOOPMetricsHandler.instance,
    tracer: (any Tracer)? = nil
  ) throws {
    self.configuration = configuration
    self.storage = storage
    experience = configuration.experience.map { AccountExperience.report(on: $0) }
    outbox = Outbox(storage.key)
    mailbox = mail == nil && isDevelopment ? InsecureDevelopmentMailbox() : nil
    let sender: (any MailSender)? = try mail.map { try SMTPClient($0, clock: clock) } ?? mailbox
    dispatcher = sender.map { [outbox] in
      MailDispatcher(
        storage: storage, outbox: outbox, sender: $0, clock: clock, logger: logger, metrics: metrics,
        tracer: tracer)
    }
  }

  /// The flows, once the address is known. All places that use them share one instance and its limits. Sends the mail
  /// that an earlier run left in the outbox.
  func flows(at origin: Origin, identity: IdentityService) -> FlowService {
    dispatcher?.ring()
    var flows = FlowService(
      configuration: configuration, identity: identity,
      forms: FlowForms(
        minimumPassword: identity.passwordPolicy.minimumLength, hasMail: dispatcher != nil,
        offersSignUp: configuration.offersSignUp),
      seal: FlowSeal(storage.key), ring: storage.key, outbox: outbox,
      mails: FlowMails(
        service: configuration.serviceName, origin: origin, minutes: Int(FlowService.codeLifetime / 60)),
      dispatcher: dispatcher, senders: AddressThrottle(identity.guesses, of: "mail", FlowService.senderLimits),
      returnOrigins: Set([origin] + configuration.returnOrigins.compactMap(Origin.init(plain:))))
    flows.experience = experience?.account?.offering { [flows] in flows.offers($0) }
      .demanding(charactersOfPasswords: identity.passwordPolicy.minimumLength)
    return flows
  }

  /// Whether this server sends mail.
  var sendsMail: Bool { dispatcher != nil }

  /// How long no mail could be sent; nil if the last one was.
  var mailFailing: Duration? { dispatcher?.failing }

  /// Waits until all mail that is due has been tried.
  func settleMail() async { await dispatcher?.settle() }

  func close() async { await dispatcher?.stop() }
}
