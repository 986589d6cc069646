public import Foundation
internal import HTTPTypes
internal import OstiaryCore

/// Registers this device for push notifications with an org, as a `MobilePushServiceDevice` record.
public final class SalesforcePush: Sendable {
  /// What an org is told of a device.
  public struct Device: Sendable, Hashable {
    /// The token that Apple's service gave to the device; sent in hexadecimal.
    public var token: Data
    /// The app's bundle identifier.
    public var bundle: String
    /// The community's identifier, for members of one.
    public var communityID: String?
    /// The key with which notifications are encrypted, as the app encodes it.
    public var rsaPublicKey: String?
    /// How notifications are encrypted.
    public var cipherName: String?

    /// Makes a device.
    public init(
      token: Data, bundle: String, communityID: String? = nil, rsaPublicKey: String? = nil, cipherName: String? = nil
    ) {
      self.token = token
      self.bundle = bundle
      self.communityID = communityID
      self.rsaPublicKey = rsaPublicKey
      self.cipherName = cipherName
    }
  }

  /// The version of the org's interface that is used where no other is set.
  public static let apiVersion = "58.0"
  /// How long an org may take to forget a device when its user signs out. 5 seconds.
  public static let signOutPatience: Duration = .seconds(5)

  private let path: String
  private let clock: any SessionClock
  private let call: @Sendable (SalesforceCall) async throws -> TransportResponse
  private let lane = AsyncSerialQueue()
  private let records = Locked(DeviceRecords())
  private struct Control {
    /// How many registrations are under way or wait.
    var registering = 0
    /// Whether the user is being signed out, or the session is over.
    var isClosed = false
    /// That of a newer sign-in to the same account, which ends with it.
    var successor: SalesforcePush?
  }

  private let control = Locked(Control())
  private let remember: @Sendable (DeviceRecords.Change) async -> Void

  init(
    apiVersion: String, clock: any SessionClock, remember: @escaping @Sendable (DeviceRecords.Change) async -> Void,
    call: @escaping @Sendable (SalesforceCall) async throws -> TransportResponse
  ) {
    path = "/services/data/v\(PercentEncoding.encode(apiVersion))/sobjects/MobilePushServiceDevice"
    self.clock = clock
    self.remember = remember
    self.call = call
  }

  /// Whether the org knows this device, as far as is known here.
  public var isRegistered: Bool { registrationID != nil }

  /// The record's identifier at the org; `nil` while there is none.
  public var registrationID: String? { records.withLock { $0.current } }

  /// Records that are not wanted any more and that the org has not said to be gone. They are tried again whenever the device is
  /// registered or unregistered, and at the same user's next sign-in.
  public var owedRegistrationIDs: [String] { records.withLock { $0.owed } }

  /// Takes up a registration that another run of the app made. ``SalesforceAccounts`` does so for its accounts.
  public func adopt(registrationID: String) { records.withLock { $0.apply(.registered(registrationID)) } }

  /// Takes up what another run of the app, or an earlier sign-in, knew.
  func adopt(_ others: DeviceRecords) { records.withLock { $0.adopt(others) } }

  /// Takes up records that an earlier session of the same user has left behind, and removes them.
  func takeOver(owed ids: [String]) async throws {
    records.withLock { records in for id in ids { records.apply(.owed(id)) } }
    try await removeOwed()
  }

  /// Whether a registration is under way.
  var isRegistering: Bool { control.withLock { $0.registering > 0 } }

  /// Ends registering: what is registered from now on is undone.
  func close() { control.withLock { $0.isClosed = true } }

  /// Whether no registration may stay: the account's newest sign-in decides, also about an earlier connection that is still held.
  private var isClosed: Bool {
    let (isClosed, successor) = control.withLock { ($0.isClosed, $0.successor) }
    return isClosed || successor?.isClosed == true
  }

  /// Hands over to the connection of a newer sign-in to the same account. What is registered here later is a record of that one.
  func hand(over successor: SalesforcePush) {
    // Set before the records are read, so that each change is either among them or told to the successor.
    control.withLock { $0.successor = successor }
    successor.adopt(known)
  }

  /// What is known, for the connection of a newer sign-in.
  var known: DeviceRecords { records.withLock { $0 } }

  /// Registers the device. One that is registered already is unregistered first; should that fail, the new registration
  /// is made all the same, and the earlier one is owed (``owedRegistrationIDs``).
  /// - Throws: ``/OstiaryCore/OstiaryError``.
  public func register(_ device: Device) async throws {
    control.withLock { $0.registering += 1 }
    defer { control.withLock { $0.registering -= 1 } }
    guard !isClosed else { throw Self.signedOut }
    try await lane.run { [self] in
      guard !isClosed else { throw Self.signedOut }
      _ = await remove(known.all)
      var record: [String: JSONValue] = [
        "ConnectionToken": .string(device.token.map { String(format: "%02x", $0) }.joined()),
        "ServiceType": "Apple", "ApplicationBundle": .string(device.bundle),
      ]
      record["NetworkId"] = device.communityID.map { .string($0) }
      record["RsaPublicKey"] = device.rsaPublicKey.map { .string($0) }
      record["CipherName"] = device.cipherName.map { .string($0) }
      let response = try await call(.post(path, json: .object(record)))
      guard response.status.kind == .successful, let id = JSONValue(json: response.body)?["id"]?.string, !id.isEmpty
      else { throw Self.refusal(response, "The org did not register the device") }
      // What comes too late takes no record's place: the same user may have signed in anew, and registered.
      await note(isClosed ? .owed(id) : .registered(id))
      // The sign-out has not waited so long, and there may still be a token: what comes too late is undone.
      guard !isClosed else {
        await note(.owed(id))
        try await remove(id)
        throw Self.signedOut
      }
    }
  }

  /// Unregisters the device, and removes the records that are owed. Does nothing when there are none.
  /// - Throws: ``/OstiaryCore/OstiaryError``; the device counts as unregistered only when the org says so.
  public func unregister() async throws {
    try await lane.run { [self] in
      if let error = await remove(known.all) { throw error }
    }
  }

  /// Removes the records that are owed.
  /// - Throws: ``/OstiaryCore/OstiaryError``; what is not gone stays owed.
  func removeOwed() async throws {
    try await lane.run { [self] in
      if let error = await remove(known.owed) { throw error }
    }
  }

  /// Notes that no record is wanted any more, after the user has been signed out.
  /// - Returns: the records that are not gone.
  func owe() async -> [String] {
    if let id = registrationID { await note(.owed(id)) }
    return owedRegistrationIDs
  }

  /// Unregisters the device because its user signs out: for no longer than the org is given. A failure does not stop
  /// the sign-out.
  /// - Returns: what went wrong.
  func undo(within patience: Duration = SalesforcePush.signOutPatience) async -> OstiaryError? {
    let isRegistering = control.withLock { control in
      control.isClosed = true
      return control.registering > 0
    }
    guard !known.isEmpty || isRegistering else { return nil }
    let work = SharedWork<Void>()
    work.launch { [self] in try await unregister() }
    let timer = OneTimer(after: patience, clock: clock) {
      work.abandon(with: OstiaryError(.timedOut, "The org did not unregister the device in time."))
    }
    defer { timer.cancel() }
    do {
      try await work.value()
      return nil
    } catch {
      return error as? OstiaryError ?? OstiaryError(.internalError, "The device could not be unregistered.")
    }
  }

  /// Removes records, each of which is tried, as long as the org can be reached.
  /// - Returns: why the first that stays does.
  private func remove(_ ids: [String]) async -> (any Error)? {
    var failure: (any Error)?
    for id in ids {
      do {
        try await remove(id)
      } catch {
        failure = failure ?? error
        guard let error = error as? OstiaryError, error.code == .salesforceRequestRefused else { break }
      }
    }
    return failure
  }

  private func remove(_ id: String) async throws {
    let response = try await call(SalesforceCall(.delete, path + "/" + PercentEncoding.encode(id)))
    guard Self.saysGone(response) else { throw Self.refusal(response, "The org did not unregister the device") }
    await note(.gone(id))
  }

  /// Whether the org itself says that a record is gone: that it has removed it, or knows no such record (REST API Developer
  /// Guide, "Status Codes and Error Responses"). A portal's page says nothing of it.
  private static func saysGone(_ response: TransportResponse) -> Bool {
    switch response.status.kind {
    case .successful: SalesforceFailure.isServersOwn(response)
    case .clientError:
      response.status == .notFound
        && SalesforceFailure(response)?.codes.isDisjoint(with: ["NOT_FOUND", "ENTITY_IS_DELETED"]) == false
    default: false
    }
  }

  private func note(_ change: DeviceRecords.Change) async {
    apply(change)
    await remember(change)
  }

  private func apply(_ change: DeviceRecords.Change) {
    records.withLock { $0.apply(change) }
    control.withLock { $0.successor }?.apply(change)
  }

  private static var signedOut: OstiaryError {
    OstiaryError(.signedOut, "The user was signed out; the device was not registered.", requestMayHaveExecuted: false)
  }

  private static func refusal(_ response: TransportResponse, _ message: String) -> OstiaryError {
    let codes = SalesforceFailure(response)?.codes ?? []
    let words = codes.isEmpty ? "" : " \(codes.sorted().joined(separator: ", "))"
    return OstiaryError(
      .salesforceRequestRefused, "\(message) (\(response.status.code)\(words)).",
      advice: "Check that the org lets the connected app send push notifications.",
      disposition: response.head.saysUnavailable ? .transient(retryAfter: nil) : .misuse)
  }
}
