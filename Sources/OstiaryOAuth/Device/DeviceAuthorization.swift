public import Foundation
public import OstiaryCore

/// What a device without a browser shows its user (RFC 8628 §3.2).
public struct DeviceAuthorization: Sendable, Hashable {
  /// What the device asks for tokens with.
  public let deviceCode: Secret
  /// What the user enters on another device.
  public let userCode: String
  /// The page on which the user enters it.
  public let verificationURI: URL
  /// The page with the code in it, for a QR code; `nil` when the server has none.
  public let verificationURIComplete: URL?
  /// When the codes end, by this device's clock.
  public let expiresAt: Date
  /// How long to wait between asking. 5 seconds where the server did not say (RFC 8628 §3.2).
  public let interval: Duration
  /// When the codes were asked for, by a clock that no user sets as well; `nil` for an authorization that was begun elsewhere.
  let begun: Moment?

  /// Makes an authorization, for servers that begin one in ways of their own.
  public init(
    deviceCode: Secret, userCode: String, verificationURI: URL, verificationURIComplete: URL? = nil,
    expiresAt: Date, interval: Duration = .seconds(5)
  ) {
    self.init(
      deviceCode: deviceCode, userCode: userCode, verificationURI: verificationURI,
      verificationURIComplete: verificationURIComplete, expiresAt: expiresAt, interval: interval, begun: nil)
  }

  private init(
    deviceCode: Secret, userCode: String, verificationURI: URL, verificationURIComplete: URL?, expiresAt: Date,
    interval: Duration, begun: Moment?
  ) {
    self.deviceCode = deviceCode
    self.userCode = userCode
    self.verificationURI = verificationURI
    self.verificationURIComplete = verificationURIComplete
    self.expiresAt = expiresAt
    self.interval = interval
    self.begun = begun
  }

  /// - Parameter begun: when the codes were asked for.
  init(_ answer: OAuthAnswer, begun: Moment) throws {
    let members = try answer.requireMembers()
    guard let deviceCode = members["device_code"]?.word, let userCode = members["user_code"]?.identifier,
      let page = (members["verification_uri"] ?? members["verification_url"])?.word.flatMap(Self.page)
    else { throw answer.unexpected("The authorization server's answer has not all that a device needs.") }
    // Servers must say, and some don't.
    let lifetime = members["expires_in"]?.looseNumber.flatMap { $0 >= 1 ? min($0, Self.longest) : nil } ?? 600
    let interval = members["interval"]?.looseNumber ?? 5
    self.init(
      deviceCode: Secret(deviceCode), userCode: userCode, verificationURI: page,
      verificationURIComplete: members["verification_uri_complete"]?.word.flatMap(Self.page),
      expiresAt: begun.wall.addingTimeInterval(lifetime), interval: .seconds(min(max(interval, 1), 300)), begun: begun)
  }

  /// How much longer the codes are good at a moment, in seconds. A wall clock that has been set since they were asked for changes
  /// nothing.
  func left(at moment: Moment, since began: Moment) -> TimeInterval {
    let began = begun ?? began
    return expiresAt.timeIntervalSince(began.wall) - moment.seconds(since: began)
  }

  /// The longest lifetime that is believed, in seconds.
  private static let longest = 1e9

  /// Only what a browser opens: the address is shown to a person, and made a link of.
  private static func page(_ text: String) -> URL? {
    URL(string: text).flatMap { Origin($0) == nil ? nil : $0 }
  }
}

extension DeviceAuthorization: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The page. The codes are for the user and the server.
  public var description: String { "DeviceAuthorization(at \(verificationURI.host() ?? "?"))" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}
