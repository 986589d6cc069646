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

  /// The version of the org's interface that is used.
  public static let apiVersion = "58.0"
  /// How long an org may take to forget a device when its user signs out. 5 seconds.
  public static let signOutPatience: Duration = .seconds(5)

  private let clock: any SessionClock
  private let call: @Sendable (SalesforceCall) async throws -> TransportResponse
  private let lane = AsyncSerialQueue()
  private let registration = Locked<String?>(nil)
  private let remember: @Sendable (String?) async -> Void

  init(
    clock: any SessionClock, remember: @escaping @Sendable (String?) async -> Void,
    call: @escaping @Sendable (SalesforceCall) async throws -> TransportResponse
  ) {
    self.clock = clock
    self.remember = remember
    self.call = call
  }

  /// Whether the org knows this device, as far as is known here.
  public var isRegistered: Bool { registration.withLock { $0 } != nil }

  /// The record's identifier at the org; `nil` while there is none.
  public var registrationID: String? { registration.withLock { $0 } }

  /// Takes up a registration that another run of the app made. ``SalesforceAccounts`` does so for its accounts.
  public func adopt(registrationID: String) { registration.withLock { $0 = registrationID } }

  /// Registers the device. One that is registered already is unregistered first; should that fail, the new registration
  /// is made all the same.
  /// - Throws: ``/OstiaryCore/OstiaryError``.
  public func register(_ device: Device) async throws {
    try await lane.run { [self] in
      if let earlier = registration.withLock({ $0 }) { try? await remove(earlier) }
      var record: [String: JSONValue] = [
        "ConnectionToken": .string(device.token.map { String(format: "%02x", $0) }.joined()),
        "ServiceType": "Apple", "ApplicationBundle": .string(device.bundle),
      ]
      record["NetworkId"] = device.communityID.map { .string($0) }
      record["RsaPublicKey"] = device.rsaPublicKey.map { .string($0) }
      record["CipherName"] = device.cipherName.map { .string($0) }
      let response = try await call(.post(Self.path, json: .object(record)))
      guard response.status.kind == .successful, let id = JSONValue(json: response.body)?["id"]?.string, !id.isEmpty
      else { throw Self.refusal(response, "The org did not register the device") }
      registration.withLock { $0 = id }
      await remember(id)
    }
  }

  /// Unregisters the device. Does nothing when it is not registered.
  /// - Throws: ``/OstiaryCore/OstiaryError``; the device counts as unregistered only when the org says so.
  public func unregister() async throws {
    try await lane.run { [self] in
      guard let id = registration.withLock({ $0 }) else { return }
      try await remove(id)
    }
  }

  /// Unregisters the device because its user signs out: for no longer than the org is given. A failure does not stop
  /// the sign-out.
  /// - Returns: what went wrong.
  func undo(within patience: Duration = SalesforcePush.signOutPatience) async -> OstiaryError? {
    guard isRegistered else { return nil }
    let work = SharedWork<Void>()
    work.launch { [self] in try await unregister() }
    let timer = Task { [clock] in
      try await clock.sleep(for: patience)
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

  private func remove(_ id: String) async throws {
    let response = try await call(SalesforceCall(.delete, Self.path + "/" + PercentEncoding.encode(id)))
    // One that is gone is what was wanted.
    guard response.status.kind == .successful || response.status == .notFound else {
      throw Self.refusal(response, "The org did not unregister the device")
    }
    registration.withLock { if $0 == id { $0 = nil } }
    await remember(nil)
  }

  private static let path = "/services/data/v\(apiVersion)/sobjects/MobilePushServiceDevice"

  private static func refusal(_ response: TransportResponse, _ message: String) -> OstiaryError {
    let codes = SalesforceFailure(response)?.codes ?? []
    let words = codes.isEmpty ? "" : " \(codes.sorted().joined(separator: ", "))"
    return OstiaryError(
      .salesforceRequestRefused, "\(message) (\(response.status.code)\(words)).",
      advice: "Check that the org lets the connected app send push notifications.",
      disposition: response.head.saysUnavailable ? .transient(retryAfter: nil) : .misuse)
  }
}
