import Crypto
import Foundation
import HTTPTypes
import OstiaryCore

/// What a request was that came without a session.
struct HeldRequest: Sendable, Codable {
  let method: String
  /// The path and the query, as they were sent.
  let target: String
  let contentType: String?
  let body: Data
}

/// Requests that wait for their sender to sign in. Each can be taken once, by the browser that sent it, for the address that it
/// was sent to; the server holds them encrypted with a key that follows from that browser's cookie.
///
/// All of them together are bounded, and so are those of one client address, of which the oldest make room: one client can't push out
/// what others have sent. However many are held, each call looks at those alone that it is about.
final class HeldRequests: Sendable {
  private static let lifetime: TimeInterval = 600

  private let shelf: Locked<HeldShelf>

  /// - Parameters:
  ///   - capacity: The most bytes of all of them.
  ///   - addressCapacity: The most bytes of one client address (an IPv6 address counts as its /64).
  init(capacity: Int, addressCapacity: Int) {
    shelf = Locked(HeldShelf(capacity: capacity, addressCapacity: min(capacity, addressCapacity)))
  }

  /// Keeps a request.
  /// - Parameters:
  ///   - browser: What ties it to its sender.
  ///   - address: Where it came from.
  /// - Returns: What to call it by; nil where it is too long.
  func hold(
    _ request: HeldRequest, browser: String, address: ClientAddress?, seal: PageSeal, now: Date
  ) -> String? {
    let id = RandomBytes.make(16).base64URL
    guard let content = try? JSONEncoder().encode(request),
      let sealed = try? ChaChaPoly.seal(
        content, using: seal.derivedKey("held", [browser, id]), authenticating: Data(request.target.utf8)
      ).combined
    else { return nil }
    let end = now.addingTimeInterval(Self.lifetime)
    return shelf.withLock { shelf in
      shelf.removeExpired(at: now)
      return shelf.insert(sealed, id: id, address: address?.bucket ?? [], end: end) ? id : nil
    }
  }

  /// Whether a request waits that the browser can open.
  func holds(_ id: String, browser: String, target: String, seal: PageSeal, now: Date) -> Bool {
    let entry = shelf.withLock { $0[id] }
    return entry.flatMap { open($0, browser: browser, target: target, seal: seal, now: now) } != nil
  }

  /// Lets the next request of a session for its address bring it back.
  func arm(_ id: String, session: Secret) {
    shelf.withLock { $0.arm(id, session: session) }
  }

  /// Forgets a request that its sender doesn't want any more.
  func drop(_ id: String) {
    shelf.withLock { _ = $0.remove(id) }
  }

  /// Takes the request that waits for this address in this session, if there is one.
  func take(session: Secret, browser: String?, target: String, seal: PageSeal, now: Date) -> HeldRequest? {
    let armed = shelf.withLock { $0.armed(for: session) }
    guard !armed.isEmpty, let browser else { return nil }
    for entry in armed {
      guard let request = open(entry, browser: browser, target: target, seal: seal, now: now) else { continue }
      // Of those that ask at once, the one that removes it has it.
      guard shelf.withLock({ $0.remove(entry.id) }) else { continue }
      return request
    }
    return nil
  }

  /// Whether any session has a request that waits to be brought back: nearly never.
  var hasArmed: Bool { shelf.withLock { $0.hasArmed } }

  /// How many had to make room.
  var pushedOut: HeldShelf.PushedOut { shelf.withLock { $0.pushedOut } }

  /// How many are held.
  var count: Int { shelf.withLock { $0.count } }

  private func open(
    _ entry: HeldShelf.Entry, browser: String, target: String, seal: PageSeal, now: Date
  ) -> HeldRequest? {
    guard entry.end > now, let box = try? ChaChaPoly.SealedBox(combined: entry.sealed),
      let content = try? ChaChaPoly.open(
        box, using: seal.derivedKey("held", [browser, entry.id]), authenticating: Data(target.utf8))
    else { return nil }
    return try? JSONDecoder().decode(HeldRequest.self, from: content)
  }
}
