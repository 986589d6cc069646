package import Foundation
internal import HTTPTypes
public import OstiaryCore

// A call captures whom it is about, the settings and the guests' site under the lock of the service, before it returns. That lock
// is the entry of the service: calls and changes of settings take it in the order in which they are made.
extension SalesforceService {
  /// Makes sure that the app has been asked, for a part of an app that needs to know who uses the service, such as one that
  /// shows an interface. A guest because of an earlier answer is asked again.
  /// - Returns: the settings that hold now; `nil` for a guest without any.
  /// - Throws: ``/OstiaryCore/OstiaryError``: `signInTimedOut` when the app did not answer in time; what prevented asking the
  ///   server about the answer; `salesforceSettingsSuperseded` when the app signed out instead of answering; the misuse of a
  ///   handler that calls this while it is being asked.
  @discardableResult
  nonisolated(nonsending) public func authenticate() async throws -> SalesforceSettings? {
    try Task.checkCancellation()
    var claim = try claim("authenticate()", needsUser: true)
    while true {
      switch claim {
      case .user(let user, _): return user.settings
      case .guest(let settings): return settings
      // Who it is, is what is asked for.
      case .outcome(let change, _): claim = try await self.claim(after: change, nil)
      }
    }
  }

  /// Sends a call: in the name of the service's user, or as a guest to the site that guests may visit.
  ///
  /// It is about the user and the settings at the moment at which it is made. Without a user it goes on as the one who
  /// answers the question to the app.
  /// - Throws: ``/OstiaryCore/OstiaryError``: `salesforceSessionInvalid` when the session was over and the app went on as a
  ///   guest, `signedOut` when another user would have to go on with it, `salesforceGuestHasNoSite`, `replayUnsafe` for a
  ///   call that must not be sent again; what the network says; the misuse of a handler that calls this while it is being
  ///   asked. Statuses other than those about the session are answers, not errors.
  nonisolated(nonsending) public func send(_ call: SalesforceCall) async throws -> TransportResponse {
    try Task.checkCancellation()
    return try await begin(call).value.response()
  }

  /// Begins what ``send(_:)`` does: whom the call is about is settled when this returns.
  /// - Parameters:
  ///   - guestSite: where guests without a site of their own go.
  ///   - needsUser: whether a guest because of an earlier answer is asked again.
  package func begin(
    _ call: @autoclosure () throws -> SalesforceCall, guestSite: URL? = nil, needsUser: Bool = false
  ) -> CapturedCall<SalesforceServiceCall> {
    CapturedCall(
      Result {
        SalesforceServiceCall(self, try call(), guestSite, try claim("send(_:)", needsUser: needsUser))
      })
  }

  // MARK: Whom a call is about

  /// Captures whom a call is about, and asks the app where that is called for.
  private func claim(_ name: String, needsUser: Bool) throws -> Claim {
    try state.withLock { state in
      // The outcome of a question comes after its callback.
      if state.change?.isQuestion == true, AppCallback.isRunning(for: self) {
        throw OstiaryError.calledFromOwnCallback(name)
      }
      // Until other settings are found to be good, the user who is there stays.
      if case .user(let user) = state.holder { return .user(user, Owner(user)) }
      if let change = state.change { return .outcome(of: change, for: owner(change, state.holder)) }
      if case .guest(let settings, _, let isSet) = state.holder, isSet || !needsUser { return .guest(settings) }
      return .outcome(of: try question(name, nil, &state), for: owner(nil, state.holder))
    }
  }

  /// Whom a call is about that waited for a change.
  private func claim(after change: Change, _ owner: Owner?) async throws -> Claim {
    let holder: Holder
    do {
      holder = try await change.work.value()
    } catch is CancellationError where Task.isCancelled {
      throw CancellationError()
    } catch {
      return try claim(after: error, of: change, owner)
    }
    switch holder {
    case .user(let user):
      let present = Owner(user)
      if let owner, !owner.mayGoOn(as: present) { throw Self.anotherUser }
      return .user(user, present)
    case .guest(let settings, let error, _):
      // What was begun in a user's name is not a guest's.
      guard owner == nil else { throw error ?? Self.anotherUser }
      return .guest(settings)
    case .unset, .lost: throw OstiaryError.salesforceSettingsSuperseded
    }
  }

  /// Whom a call is about that waited for a change without success.
  private func claim(after error: any Error, of change: Change, _ owner: Owner?) throws -> Claim {
    switch change.replacement.withLock({ $0 }) {
    case .settings(let next): return .outcome(of: next, for: owner ?? next.user.map { Owner($0) })
    case .guest(let settings):
      guard owner == nil else { throw Self.anotherUser }
      return .guest(settings)
    case .signOut: throw owner == nil ? error : Self.anotherUser
    case nil: break
    }
    // Settings that an app sets by itself fail for the caller that set them; what was set before holds.
    guard !change.isQuestion else { throw error }
    return try state.withLock { state in
      switch state.holder {
      case .user(let user):
        guard let owner, owner.mayGoOn(as: Owner(user)) else { throw Self.anotherUser }
        return .user(user, owner)
      case .guest(_, _, isSet: true): throw error
      case .guest, .unset, .lost:
        return .outcome(of: try state.change ?? question("send(_:)", nil, &state), for: owner)
      }
    }
  }

  /// Whom a call is about whose user's session is over: asks the app, once for all calls that met it.
  private func claim(_ owner: Owner, afterEndOf user: User, _ error: OstiaryError) throws -> Claim {
    try state.withLock { state in
      switch state.holder {
      case .user(let present) where present === user:
        return .outcome(of: try question("send(_:)", (user, error), &state), for: owner)
      case .user(let present):
        guard owner.mayGoOn(as: Owner(present)) else { throw Self.anotherUser }
        return .user(present, owner)
      case .lost(let lost, _):
        guard owner.mayGoOn(as: Owner(lost)) else { throw Self.anotherUser }
        return .outcome(of: try question("send(_:)", nil, &state), for: owner)
      case .guest(_, let error?, isSet: false): throw error
      case .guest, .unset: throw Self.anotherUser
      }
    }
  }

  /// The change that a call waits for: the one that is under way, or a new question. The lock is held.
  private func question(_ name: String, _ failure: (User, OstiaryError)?, _ state: inout State) throws -> Change {
    if state.change?.isQuestion != false, AppCallback.isRunning(for: self) {
      throw OstiaryError.calledFromOwnCallback(name)
    }
    return state.change ?? startQuestion(about: failure, &state)
  }

  /// Whose call it is before there is an outcome: the user's whose settings are being verified, or whose session is lost.
  private func owner(_ change: Change?, _ holder: Holder) -> Owner? {
    (change?.user ?? Self.user(holder)).map { Owner($0) }
  }

  // MARK: Sending

  fileprivate func response(to begun: SalesforceServiceCall) async throws -> TransportResponse {
    var claim = begun.claim
    // Each turn has other settings than the one before, and failures in a row are bounded.
    var endings = 0
    while endings <= max(1, configuration.maximumFailures) {
      switch claim {
      case .guest(let settings):
        guard let site = settings?.communityURL ?? begun.guestSite else { throw OstiaryError.salesforceGuestHasNoSite }
        return try await network.send(begun.call.request(at: site))
      case .outcome(let change, let owner):
        claim = try await self.claim(after: change, owner)
      case .user(let user, let owner):
        switch try await attempt(begun.call, user, owner) {
        case .success(let response): return response
        case .failure(let error):
          endings += 1
          claim = try self.claim(owner, afterEndOf: user, .salesforceSessionInvalid(error.message, underlying: error))
          guard begun.call.replay != .never else {
            if case .outcome(let change, let owner) = claim { _ = try await self.claim(after: change, owner) }
            throw OstiaryError(.replayUnsafe, "The session was replaced; the call was not to be sent again.")
          }
        }
      }
    }
    throw OstiaryError(.challengedAgain, "The server ended one session after the other.")
  }

  /// - Returns: the answer, or how the user's session ended.
  private func attempt(
    _ call: SalesforceCall, _ user: User, _ owner: Owner
  ) async throws -> Result<TransportResponse, OstiaryError> {
    do {
      if owner.mayGoOn(as: Owner(user, try await user.connection.session())) {
        let response = try await user.connection.send(call)
        note(response, to: user)
        return .success(response)
      }
    } catch let error as OstiaryError where error.endsUse {
      return .failure(error)
    }
    throw Self.anotherUser
  }

  private static var anotherUser: OstiaryError {
    OstiaryError(
      .signedOut, "Another user uses the service now; the call was not sent in their name.",
      requestMayHaveExecuted: false)
  }
}

/// A call that has begun: whom it is about is settled.
package struct SalesforceServiceCall: Sendable {
  fileprivate let call: SalesforceCall
  fileprivate let guestSite: URL?
  fileprivate let claim: SalesforceService.Claim
  private let service: SalesforceService

  fileprivate init(
    _ service: SalesforceService, _ call: SalesforceCall, _ guestSite: URL?, _ claim: SalesforceService.Claim
  ) {
    self.service = service
    self.call = call
    self.guestSite = guestSite
    self.claim = claim
  }

  /// Sends it.
  /// - Throws: what ``SalesforceService/send(_:)`` does.
  package func response() async throws -> TransportResponse { try await service.response(to: self) }
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
