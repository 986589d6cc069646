import Foundation
internal import GRDB
public import OstiaryCore

/// The device flow (RFC 8628).
extension ServerTokens {
  /// Gives a device a code to poll with and one for a person to type.
  /// - Parameters:
  ///   - request: as ``issue(_:)``; its user is left out of account.
  ///   - interval: how long the device has to wait between two polls.
  ///   - lifetime: how long somebody may take to decide.
  /// - Throws: `attributesTooLarge` or a storage code.
  public func beginDevice(
    _ request: GrantRequest, interval: Duration = .seconds(5), lifetime: Duration = .seconds(600),
    codePrefix: String = "ost_dc_"
  ) async throws(ServerError) -> DeviceAuthorization {
    throw .unfinished
  }

  /// The device that waits for a decision under that code, to be shown to the person who has typed it. The door limits
  /// how often one may try (RFC 8628 §5.1).
  public func device(userCode: String) async throws(ServerError) -> DeviceRequest? {
    throw .unfinished
  }

  /// Lets the device in as `user`.
  /// - Returns: whether it was still waiting.
  @discardableResult
  public func approveDevice(userCode: String, user: User) async throws(ServerError) -> Bool {
    throw .unfinished
  }

  /// Keeps the device out.
  /// - Returns: whether it was still waiting.
  @discardableResult
  public func denyDevice(userCode: String) async throws(ServerError) -> Bool {
    throw .unfinished
  }

  /// A device asks what has been decided.
  /// - Parameter client: who polls, authenticated.
  /// - Throws: a storage code.
  public func pollDevice(code: Secret, client: Client) async throws(ServerError) -> DeviceDecision {
    throw .unfinished
  }
}
