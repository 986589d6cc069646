import Foundation
import Logging
import OstiaryCore

/// What the account pages need from the server, for as long as it lives.
struct AccountParts: Sendable {
  let configuration: AccountConfiguration
  /// Where a development server puts its mail.
  let mailbox: InsecureDevelopmentMailbox?
  private let dispatcher: MailDispatcher?
  private let outbox: Outbox
  private let sessions: ServerSessions
  private let storage: ServerStorage
  private let isSecure: Bool

  /// - Throws: where the mail server's authorities can't be used.
  init(
    _ configuration: AccountConfiguration, mail: MailConfiguration?, isDevelopment: Bool, storage: ServerStorage,
    isSecure: Bool, clock: any SessionClock, logger: Logger
  ) throws {
    self.configuration = configuration
    self.storage = storage
    self.isSecure = isSecure
    sessions = ServerSessions(
      storage: storage, limits: configuration.sessionLimits, clock: clock, purpose: "account")
    outbox = Outbox(storage.key)
    mailbox = mail == nil && isDevelopment ? InsecureDevelopmentMailbox() : nil
    let sender: (any MailSender)? = try mail.map { try SMTPClient($0, clock: clock) } ?? mailbox
    dispatcher = sender.map { [outbox] in
      MailDispatcher(storage: storage, outbox: outbox, sender: $0, clock: clock, logger: logger)
    }
    if mailbox != nil {
      logger.warning("Mail is shown to everybody who asks this server, at \(DevelopmentMailboxRoutes.path).")
    }
  }

  /// The flows, once the address is known: one for all that stand on it, whose limits are shared. Sends what an earlier run
  /// left behind.
  func flows(at origin: Origin, identity: IdentityService) -> FlowService {
    var limits = LoginLimits.standard
    limits.addressBurst = 30
    dispatcher?.ring()
    return FlowService(
      configuration: configuration, identity: identity,
      forms: FlowForms(
        minimumPassword: identity.passwordPolicy.minimumLength, hasMail: dispatcher != nil,
        offersSignUp: configuration.offersSignUp),
      seal: FlowSeal(storage.key), codeKey: storage.key.key(for: "flows.code"), outbox: outbox,
      mails: FlowMails(
        service: configuration.serviceName, origin: origin, minutes: Int(FlowService.codeLifetime / 60)),
      dispatcher: dispatcher, senders: AddressThrottle(limits: limits),
      returnOrigins: Set([origin] + configuration.returnOrigins.compactMap(ServerConfiguration.origin)))
  }

  /// What is answered.
  func routes(at origin: Origin, _ flows: FlowService) -> [Route] {
    let account = AccountRoutes(
      flows: flows, sessions: sessions, cookies: .account(isSecure: isSecure),
      seal: PageSeal(storage.key.key(for: "account.pages")), origin: origin,
      pages: FlowPage(service: configuration.serviceName))
    return account.routes + (mailbox.map { DevelopmentMailboxRoutes(mailbox: $0).routes } ?? [])
  }

  /// Waits until all mail that is due has been tried.
  func settleMail() async { await dispatcher?.settle() }

  func close() async { await dispatcher?.stop() }
}
