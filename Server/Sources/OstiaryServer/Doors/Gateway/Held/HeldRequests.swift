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

/// Requests that wait until their sender has signed in, at whichever server. Each can be taken once, by the browser that sent it, for
/// the address that it was sent to. The database stores them encrypted with a key that is derived from the server's key and that
/// browser's cookie, and stores neither.
///
/// There is a limit for all of them and a limit for one client address, whose oldest requests are removed first: one client can't
/// remove requests of others. All together may be a sixteenth more than their limit for each server.
struct HeldRequests: Sendable {
  static let lifetime: TimeInterval = 600

  /// How many were removed to make room for others: in all, and for their address's own.
  struct PushedOut: Sendable, Hashable {
    var total = 0
    var ofAddress = 0
  }

  /// A request as it is stored.
  private struct Entry: Sendable {
    let id: Data
    let sealed: Data
  }

  private let storage: ServerStorage
  private let capacity: Int
  private let addressCapacity: Int
  private let seal: PageSeal
  private let ring: KeyRing
  private let removed = Locked(PushedOut())
  private let turns = TidyingTurns(every: 64, seconds: 60)
  /// The bytes that this server has stored since it last looked at those of all.
  private let unseen = Locked(0)

  /// - Parameters:
  ///   - capacity: The most bytes of all requests.
  ///   - addressCapacity: The most bytes of one client address (an IPv6 address counts as its /64).
  init(_ storage: ServerStorage, capacity: Int, addressCapacity: Int, seal: PageSeal) {
    self.storage = storage
    self.capacity = capacity
    self.addressCapacity = min(capacity, addressCapacity)
    self.seal = seal
    ring = storage.key
  }

  // MARK: Before the sign-in

  /// Stores a request.
  /// - Parameters:
  ///   - browser: The proof of its sender.
  ///   - address: The client's address.
  /// - Returns: The id of the request; nil if it is too long.
  func hold(
    _ request: HeldRequest, browser: String, address: ClientAddress?, now: Date
  ) async throws(ServerError) -> String? {
    let id = RandomBytes.make(16).base64URL
    let stored = Self.hash(id)
    guard let content = try? JSONEncoder().encode(request),
      let sealed = try? ChaChaPoly.seal(
        content, using: key(browser, stored), authenticating: Data(request.target.utf8)
      ).combined, sealed.count <= addressCapacity
    else { return nil }
    let sender = Data(
      HMAC<SHA256>.authenticationCode(for: Data(address?.bucket ?? []), using: ring.key(for: "gateway.held")).prefix(16)
    )
    let end = now.addingTimeInterval(Self.lifetime)
    let ofAddress = try await storage.writeTogether { [addressCapacity] db in
      let count = try Self.makeRoom(of: addressCapacity - sealed.count, sender: sender, in: db)
      try db.run(HeldStatements.sql.insert, stored, sender, sealed.count, sealed, end)
      return count
    }
    let ofAll = await tidy(now, stored: sealed.count)
    if ofAddress + ofAll > 0 {
      removed.withLock { removed in
        removed.ofAddress += ofAddress
        removed.total += ofAll
      }
    }
    return id
  }

  /// Removes what has expired, and the oldest requests if all are too many: now and then, and when this server has stored a sixteenth of
  /// the most. A transaction of its own: requests of different addresses don't conflict, and a failure takes none back.
  /// - Returns: how many were removed to make room.
  private func tidy(_ now: Date, stored size: Int) async -> Int {
    let isTurn = turns.isDue(now: now)
    let isDue = unseen.withLock { [capacity] unseen in
      unseen += size
      guard isTurn || unseen >= capacity / 16 else { return false }
      unseen = 0
      return true
    }
    guard isDue else { return 0 }
    let removed = try? await storage.write { [capacity] db in
      try db.run(HeldStatements.sql.removeExpired, now)
      return try Self.makeRoom(of: capacity, in: db)
    }
    return removed ?? 0
  }

  /// Removes an address's oldest requests until the others have no more bytes than that.
  /// - Returns: how many.
  private static func makeRoom(of most: Int, sender: Data, in db: StorageConnection) throws -> Int {
    let size = try db.count(HeldStatements.sql.sizeOfAddress, sender)
    guard size > most else { return 0 }
    let oldest = try db.all(HeldStatements.sql.oldestOfAddress, sender) { ($0.next(Int64.self), $0.next(Int.self)) }
    guard let last = last(oldest, excess: size - most) else { return 0 }
    return try db.changed(by: HeldStatements.sql.removeOldestOfAddress, sender, last)
  }

  /// As ``makeRoom(of:sender:in:)``, for all addresses.
  private static func makeRoom(of most: Int, in db: StorageConnection) throws -> Int {
    let size = try db.count(HeldStatements.sql.size)
    guard size > most else { return 0 }
    let oldest = try db.all(HeldStatements.sql.oldest) { ($0.next(Int64.self), $0.next(Int.self)) }
    guard let last = last(oldest, excess: size - most) else { return 0 }
    return try db.changed(by: HeldStatements.sql.removeOldest, last)
  }

  /// The number of the last one that has to go.
  private static func last(_ oldest: [(Int64, Int)], excess: Int) -> Int64? {
    var freed = 0
    for (number, size) in oldest {
      freed += size
      if freed >= excess { return number }
    }
    return oldest.last?.0
  }

  /// Whether a request waits that the browser can decrypt.
  func holds(_ id: String, browser: String, target: String, now: Date) async throws(ServerError) -> Bool {
    let id = Self.hash(id)
    let entry = try await storage.read { db in
      try db.first(HeldStatements.sql.find, id, now) { Entry(id: id, sealed: $0.next()) }
    }
    return entry.flatMap { open($0, browser: browser, target: target) } != nil
  }

  // MARK: Afterwards

  /// Releases a request for the session's next request for its address.
  /// - Returns: false if it does not wait any more.
  func arm(_ id: String, session: Secret, now: Date) async throws(ServerError) -> Bool {
    let (id, session) = (Self.hash(id), Self.hash(session.reveal()))
    return try await storage.writeTogether { db in try db.changed(by: HeldStatements.sql.arm, session, id, now) > 0 }
  }

  /// Removes a request that its sender no longer wants.
  func drop(_ id: String) async throws(ServerError) {
    let id = Self.hash(id)
    _ = try await storage.writeTogether { db in try db.run(HeldStatements.sql.remove, id) }
  }

  /// Takes the session's released request for this address, if there is one.
  func take(
    session: Secret, browser: String?, target: String, now: Date
  ) async throws(ServerError) -> HeldRequest? {
    guard let browser else { return nil }
    let session = Self.hash(session.reveal())
    let armed = try await storage.read { db in
      try db.all(HeldStatements.sql.armed, session, now) { Entry(id: $0.next(), sealed: $0.next()) }
    }
    for entry in armed {
      guard let request = open(entry, browser: browser, target: target) else { continue }
      // Of concurrent calls, at any server, the one that removes the request gets it.
      let isMine = try await storage.writeTogether { db in try db.changed(by: HeldStatements.sql.remove, entry.id) > 0 }
      if isMine { return request }
    }
    return nil
  }

  /// How many this server has removed to make room.
  var pushedOut: PushedOut { removed.withLock { $0 } }

  private static func hash(_ text: String) -> Data { Data(SHA256.hash(data: Data(text.utf8))) }

  private func key(_ browser: String, _ stored: Data) -> SymmetricKey {
    seal.derivedKey(.held, [browser, stored.base64URL])
  }

  private func open(_ entry: Entry, browser: String, target: String) -> HeldRequest? {
    guard let box = try? ChaChaPoly.SealedBox(combined: entry.sealed) else { return nil }
    // It may have been held before the server's key was changed.
    for key in seal.derivedKeys(.held, [browser, entry.id.base64URL]) {
      guard let content = try? ChaChaPoly.open(box, using: key, authenticating: Data(target.utf8)) else { continue }
      return try? JSONDecoder().decode(HeldRequest.self, from: content)
    }
    return nil
  }
}

extension SealPurpose {
  /// The key of a stored request.
  fileprivate static let held = SealPurpose("held", version: 2)
}
