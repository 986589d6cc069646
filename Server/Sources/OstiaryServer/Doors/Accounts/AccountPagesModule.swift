import Logging
import OstiaryCore

/// Plugs in the server's own pages for accounts and their JSON interface, like a door.
struct AccountPagesModule: DoorModule {
  static let metricValue: MetricValue = "accounts"
  private let options: AccountConfiguration
  private let house: DoorHouse
  private let sessions: ServerSessions

  init(_ options: AccountConfiguration, in house: DoorHouse) {
    self.options = options
    self.house = house
    sessions = ServerSessions(
      storage: house.storage, limits: options.sessionLimits, clock: house.clock, purpose: "account")
    if house.accounts?.mailbox != nil {
      house.logger.warning("Mail is shown to every user of this machine, at \(FlowPaths.mailbox).")
    }
    for notice in house.accounts?.experience?.notices ?? [] {
      house.logger.warning("The experience of the account pages: \(notice)")
    }
  }

  func open(at place: DoorPlace) -> OpenDoor {
    guard let flows = place.flows else { return OpenDoor(routes: []) }
    let room = FrontRoom(
      seal: PageSeal(house.storage.key, of: "account"), cookies: .account(isSecure: house.isSecure), sessions: sessions,
      storage: house.storage, origins: [place.origin], clock: house.clock)
    let account = AccountRoutes(
      flows: flows, room: room, origin: place.origin, pages: FlowPage(service: options.serviceName),
      news: HomeNews(seal: room.seal, cookies: room.cookies, isSecure: house.isSecure))
    let mailbox = house.accounts?.mailbox.map { DevelopmentMailboxRoutes(mailbox: $0).routes } ?? []
    return OpenDoor(routes: account.routes + mailbox)
  }
}

extension PageCookies {
  /// The cookies of the account pages.
  static func account(isSecure: Bool) -> PageCookies {
    PageCookies(
      session: "ostiary-account", browser: "ostiary-flow", purpose: "ostiary.account.page.", isSecure: isSecure)
  }
}

extension AccountConfiguration: DoorOptions {}

extension DoorSettings {
  /// The server's own pages for accounts; nil turns them off.
  public var accounts: AccountConfiguration? {
    get { self[AccountConfiguration.self] }
    set { self[AccountConfiguration.self] = newValue }
  }
}
