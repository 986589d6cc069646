import Crypto
import Foundation
import HTTPTypes
import OstiaryCore

/// A request that came without a session.
struct HeldRequest: Sendable, Codable {
  let method: String
  /// The path and the query, as they were sent.
  let target: String
  let contentType: String?
  let body: Data
}

/// Requests that wait until their sender has signed in. Each can be taken once, by the browser that sent it, for the address that
/// it was sent to. The server stores them encrypted with a key that is derived from that browser's cookie.
///
/// There is a limit for all of them and a limit for one client address, whose oldest requests are removed first: one client can't
/// remove requests of others. Every call reads only the requests that it is about, however many are stored.
final class HeldRequests: Sendable {
  private static let lifetime: TimeInterval = 600

  /// Identifies the requests of this process: they end with it, and pages that name them may stay open.
  let era = RandomBytes.make(16).base64URL
  private let shelf: Locked<HeldShelf>

  /// - Parameters:
  ///   - capacity: The most bytes of all requests.
  ///   - addressCapacity: The most bytes of one client address (an IPv6 address counts as its /64).
  init(capacity: Int, addressCapacity: Int) {
    shelf = Locked(HeldShelf(capacity: capacity, addressCapacity: min(capacity, addressCapacity)))
  }

  /// Stores a request.
  /// - Parameters:
  ///   - browser: The proof of its sender.
  ///   - address: The client's address.
  /// - Returns: The id of the request; nil if it is too long.
  func hold(
    _ request: HeldRequest, browser: String, address: ClientAddress?, seal: PageSeal, now: Date
  ) -> String? {
    let id = RandomBytes.make(16).base64URL
    guard let content = try? JSONEncoder().encode(request),
      let sealed = try? ChaChaPoly.seal(
        content, using: seal.derivedKey(.held, [browser, id]), authenticating: Data(request.target.utf8)
      ).combined
    else { return nil }
    let end = now.addingTimeInterval(Self.lifetime)
    return shelf.withLock { shelf in
      shelf.removeExpired(at: now)
      return shelf.insert(sealed, id: id, address: address?.bucket ?? [], end: end) ? id : nil
    }
  }

  /// Whether a request waits that the browser can decrypt.
  func holds(_ id: String, browser: String, target: String, seal: PageSeal, now: Date) -> Bool {
    let entry = shelf.withLock { $0[id] }
    return entry.flatMap { open($0, browser: browser, target: target, seal: seal, now: now) } != nil
  }

  /// Releases a request for the session's next request for its address.
  func arm(_ id: String, session: Secret) {
    shelf.withLock { $0.arm(id, session: session) }
  }

  /// Removes a request that its sender no longer wants.
  func drop(_ id: String) {
    shelf.withLock { _ = $0.remove(id) }
  }

  /// Takes the session's released request for this address, if there is one.
  func take(session: Secret, browser: String?, target: String, seal: PageSeal, now: Date) -> HeldRequest? {
    let armed = shelf.withLock { $0.armed(for: session) }
    guard !armed.isEmpty, let browser else { return nil }
    for entry in armed {
      guard let request = open(entry, browser: browser, target: target, seal: seal, now: now) else { continue }
      // Of concurrent calls, the one that removes the request gets it.
      guard shelf.withLock({ $0.remove(entry.id) }) else { continue }
      return request
    }
    return nil
  }

  /// Whether any session has a released request: almost never.
  var hasArmed: Bool { shelf.withLock { $0.hasArmed } }

  /// How many were removed to make room.
  var pushedOut: HeldShelf.PushedOut { shelf.withLock { $0.pushedOut } }

  /// How many are stored.
  var count: Int { shelf.withLock { $0.count } }

  private func open(
    _ entry: HeldShelf.Entry, browser: String, target: String, seal: PageSeal, now: Date
  ) -> HeldRequest? {
    guard entry.end > now, let box = try? ChaChaPoly.SealedBox(combined: entry.sealed),
      let content = try? ChaChaPoly.open(
        box, using: seal.derivedKey(.held, [browser, entry.id]), authenticating: Data(target.utf8))
    else { return nil }
    return try? JSONDecoder().decode(HeldRequest.self, from: content)
  }
}

extension SealPurpose {
  /// The key of a stored request.
  fileprivate static let held = SealPurpose("held")
}
