internal import Foundation
internal import Logging
internal import OstiaryCore

// The records that orgs have of this device. Each is remembered until its org has said that it is gone, also when its user has
// signed out meanwhile: no other way leads to it but another sign-in of the same user.
extension SalesforceAccounts {
  static let devicesKey = SessionKey("salesforce-devices")

  /// Records of this device that orgs still have of users though they are not wanted any more, such as those of a user who was
  /// signed out while the org did not answer. The same user's next sign-in removes them; until then they are told here, once
  /// ``restore()`` has read them.
  public var owedRegistrations: [SalesforceUserIdentity: [String]] {
    let devices = state.withLock { $0.devices }
    return devices.reduce(into: [:]) { owed, entry in
      guard let identity = SalesforceUserIdentity(Session.User(id: entry.key)), !entry.value.owed.isEmpty else {
        return
      }
      owed[identity] = entry.value.owed
    }
  }

  /// Hands what is known of a user's records over to a connection of theirs.
  func adoptDevices(of identity: SalesforceUserIdentity, _ connection: SalesforceConnection) {
    state.withLock { $0.handDevices(of: identity, to: connection) }
  }

  /// Lets the same user's next session, where there is one already, remove what is left of an earlier one. No caller waits for it.
  func handOver(_ owed: [String], of identity: SalesforceUserIdentity) {
    guard !owed.isEmpty, let present = account(for: identity), present.loginState == .loggedIn else { return }
    _ = present.connection.beginPush { try await $0.takeOver(owed: owed) }
  }

  /// Reads what is stored of all users' records. While the store can't tell, what is known here stays.
  func readDevices() async {
    // A change that is noted and written while an older reading is on its way would be forgotten here.
    await deviceLane.run { [self] in await takeDevices() }
  }

  private func takeDevices() async {
    let reading = await store.load(Self.devicesKey)
    if case .unavailable = reading { return }
    state.withLock { state in
      state.devices = Self.devices(reading)
      for (name, change) in state.deviceChanges { state.devices[name, default: DeviceRecords()].apply(change) }
    }
  }

  /// Notes what has happened to a user's records, here and in the store.
  func note(_ change: DeviceRecords.Change, of identity: SalesforceUserIdentity) async {
    state.withLock { state in
      state.devices[identity.name, default: DeviceRecords()].apply(change)
      state.deviceChanges.append((identity.name, change))
    }
    await deviceLane.run { [self] in await writeDevices() }
  }

  /// Writes down the changes that are not written yet, over what other processes have stored. What can't be written now is
  /// written with the next change.
  private func writeDevices() async {
    for _ in 0..<Self.writesAtMost {
      let changes = state.withLock { $0.deviceChanges }
      guard !changes.isEmpty else { return }
      let reading = await store.load(Self.devicesKey)
      if case .unavailable = reading { return }
      var devices = Self.devices(reading)
      for (name, change) in changes { devices[name, default: DeviceRecords()].apply(change) }
      do {
        try await write(devices.filter { !$0.value.isEmpty }, over: reading)
      } catch let error as OstiaryError where error.code == .storeConflict {
        continue
      } catch {
        return logger.debug("the registrations for push notifications could not be written down")
      }
      return state.withLock { $0.deviceChanges.removeFirst(changes.count) }
    }
  }

  private func write(_ devices: [String: DeviceRecords], over reading: StoreReading) async throws {
    var expected = StoreExpectation.nothing
    if case .present(let data) = reading { expected = .exactly(data) }
    if !devices.isEmpty {
      let data = try JSONEncoder().encode(devices.mapValues(\.stored))
      try await store.save(data, for: Self.devicesKey, replacing: expected)
    } else if expected != .nothing {
      try await store.remove(Self.devicesKey, ifHolding: expected)
    }
  }

  private static func devices(_ reading: StoreReading) -> [String: DeviceRecords] {
    guard case .present(let data) = reading, let stored = JSONValue(json: data)?.object else { return [:] }
    return stored.mapValues { DeviceRecords(stored: $0) }
  }

  /// How often a writing is tried against other processes.
  private static let writesAtMost = 8
}

extension SalesforceAccounts.State {
  /// Hands what is known of a user's records over to a connection of theirs.
  func handDevices(of identity: SalesforceUserIdentity, to connection: SalesforceConnection) {
    if let records = devices[identity.name] { connection.push.adopt(records) }
  }

  /// Notes that no record of an account is wanted any more, when its sign-out begins: the same user may sign in anew before it has
  /// ended, and must not take a record for their own that is on its way out. It is written down with the next change.
  mutating func owe(_ account: SalesforceAccount) {
    for id in account.registering.compactMap(\.push.registrationID) {
      devices[account.identity.name, default: DeviceRecords()].apply(.owed(id))
      deviceChanges.append((account.identity.name, .owed(id)))
    }
  }
}
