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
final class HeldRequests: Sendable {
  private static let lifetime: TimeInterval = 600

  private let capacity: Int
  private let entries = Locked<[String: Entry]>([:])

  private struct Entry {
    let sealed: Data
    let end: Date
    /// The session in which the next request for its address brings it back, once its sender has agreed.
    var session: Secret?
  }

  /// - Parameter capacity: The most bytes of all of them.
  init(capacity: Int) {
    self.capacity = capacity
  }

  /// Keeps a request.
  /// - Parameters:
  ///   - browser: What ties it to its sender.
  /// - Returns: What to call it by.
  func hold(_ request: HeldRequest, browser: String, seal: PageSeal, now: Date) -> String? {
    let id = RandomBytes.make(16).base64URL
    guard let content = try? JSONEncoder().encode(request), content.count <= capacity,
      let sealed = try? ChaChaPoly.seal(
        content, using: seal.derivedKey("held", [browser, id]), authenticating: Data(request.target.utf8)
      ).combined
    else { return nil }
    entries.withLock { entries in
      entries = entries.filter { $0.value.end > now }
      var size = entries.values.reduce(sealed.count) { $0 + $1.sealed.count }
      for (id, entry) in entries.sorted(by: { $0.value.end < $1.value.end }) where size > capacity {
        entries[id] = nil
        size -= entry.sealed.count
      }
      entries[id] = Entry(sealed: sealed, end: now.addingTimeInterval(Self.lifetime), session: nil)
    }
    return id
  }

  /// Whether a request waits that the browser can open.
  func holds(_ id: String, browser: String, target: String, seal: PageSeal, now: Date) -> Bool {
    let entry = entries.withLock { $0[id] }
    return entry.flatMap { open($0, id: id, browser: browser, target: target, seal: seal, now: now) } != nil
  }

  /// Lets the next request of a session for its address bring it back.
  func arm(_ id: String, session: Secret) {
    entries.withLock { $0[id]?.session = session }
  }

  /// Forgets a request that its sender doesn't want any more.
  func drop(_ id: String) {
    entries.withLock { $0[id] = nil }
  }

  /// Takes the request that waits for this address in this session, if there is one.
  func take(session: Secret, browser: String?, target: String, seal: PageSeal, now: Date) -> HeldRequest? {
    let armed = entries.withLock { $0.filter { $0.value.session == session } }
    guard !armed.isEmpty, let browser else { return nil }
    for (id, entry) in armed {
      guard let request = open(entry, id: id, browser: browser, target: target, seal: seal, now: now) else { continue }
      // Whoever removes it has it: nobody else does.
      guard entries.withLock({ $0.removeValue(forKey: id) }) != nil else { continue }
      return request
    }
    return nil
  }

  /// Whether anything waits to be brought back: nearly never.
  var isEmpty: Bool { entries.withLock { $0.isEmpty } }

  private func open(
    _ entry: Entry, id: String, browser: String, target: String, seal: PageSeal, now: Date
  ) -> HeldRequest? {
    guard entry.end > now, let box = try? ChaChaPoly.SealedBox(combined: entry.sealed),
      let content = try? ChaChaPoly.open(
        box, using: seal.derivedKey("held", [browser, id]), authenticating: Data(target.utf8))
    else { return nil }
    return try? JSONDecoder().decode(HeldRequest.self, from: content)
  }
}
