internal import Foundation
internal import HTTPTypes
public import OstiaryCore

extension SalesforceService {
  /// Makes sure that the app has been asked, for a part of an app that needs to know who uses the service, such as one that
  /// shows an interface. A guest because of an earlier answer is asked again.
  /// - Returns: the settings that hold now; `nil` for a guest without any.
  /// - Throws: ``/OstiaryCore/OstiaryError``: `signInTimedOut` when the app did not answer in time; what prevented asking the
  ///   server about the answer.
  @discardableResult
  public func authenticate() async throws -> SalesforceSettings? {
    Self.settings(try await holder(asksGuests: true))
  }

  /// Sends a call: in the name of the service's user, or as a guest to the site that guests may visit.
  /// - Throws: ``/OstiaryCore/OstiaryError``: `salesforceSessionInvalid` when the session was over and the app went on as a
  ///   guest, `salesforceGuestHasNoSite`, `replayUnsafe` for a call that must not be sent again; what the network says.
  ///   Statuses other than those about the session are answers, not errors.
  public func send(_ call: SalesforceCall) async throws -> TransportResponse {
    var caller: Caller?
    // Each turn has other settings than the one before, and failures in a row are bounded.
    for _ in 0...max(1, configuration.maximumFailures) {
      switch try await holder(asksGuests: false) {
      case .user(let user):
        switch try await attempt(call, user, begunBy: &caller) {
        case .answered(let response):
          if response.status.code < 500 { noteAccepted(user) }
          return response
        case .notTheirs: throw Self.notTheirs
        case .over(let error):
          caller = caller ?? Caller(unverified: user)
          try await fail(user, .salesforceSessionInvalid(error.message, underlying: error))
          guard call.replay != .never else {
            throw OstiaryError(.replayUnsafe, "The session was replaced; the call was not to be sent again.")
          }
        }
      case .guest(let settings, let error, _):
        // What was begun in a user's name is not a guest's.
        if caller != nil { throw error ?? Self.notTheirs }
        return try await sendAsGuest(call, settings)
      case .unset, .lost:
        throw OstiaryError.salesforceSettingsSuperseded
      }
    }
    throw OstiaryError(.challengedAgain, "The server ended one session after the other.")
  }

  private enum Attempt {
    case answered(TransportResponse)
    /// The user's session is over.
    case over(OstiaryError)
    /// Another user's session is there.
    case notTheirs
  }

  private func attempt(
    _ call: SalesforceCall, _ user: User, begunBy caller: inout Caller?
  ) async throws -> Attempt {
    do {
      let present = try await Caller(user)
      if let caller, !caller.isSame(as: present) { return .notTheirs }
      caller = present
      return .answered(try await user.connection.send(call))
    } catch let error as OstiaryError where error.endsUse {
      return .over(error)
    }
  }

  private func sendAsGuest(_ call: SalesforceCall, _ settings: SalesforceSettings?) async throws -> TransportResponse {
    guard let site = settings?.communityURL else { throw OstiaryError.salesforceGuestHasNoSite }
    return try await network.send(call.request(at: site))
  }

  private static var notTheirs: OstiaryError {
    OstiaryError(
      .signedOut, "Another user uses the service now; the call was not sent in their name.",
      requestMayHaveExecuted: false)
  }

  /// In whose name a call was begun.
  private struct Caller {
    let identity: SalesforceUserIdentity?

    init(_ user: User) async throws {
      identity = SalesforceUserIdentity(try await user.connection.session().user)
    }

    init(unverified user: User) {
      identity = user.connection.identity
    }

    func isSame(as other: Caller) -> Bool { identity == nil || identity == other.identity }
  }
}

extension OstiaryError {
  /// Whether a user's session is over, so that only other settings help.
  fileprivate var endsUse: Bool {
    switch code {
    case .interactionRequired, .challengedAgain, .salesforceSessionInvalid, .salesforceSettingsUnusable, .signedOut:
      true
    default: false
    }
  }
}
