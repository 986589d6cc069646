import Foundation
import OstiaryCore

/// Sessions as items of a vault, by blocking calls. Knows which calls make a change that loses nothing, and nothing of
/// tasks and locks.
struct ItemSessions: Sendable {
  let service: String
  let vault: any ItemVault
  /// The largest item, in bytes.
  let pieceLimit: Int

  /// What there is for a key.
  enum Reading: Equatable {
    case absent
    case present(Data)
    case damaged

    var data: Data? { if case .present(let data) = self { data } else { nil } }
  }

  private var pieceService: String { service + ".pieces" }
  var damagedService: String { service + ".damaged" }

  private func item(_ key: SessionKey) -> VaultItem { VaultItem(service: service, account: key.canonicalName) }

  private func piece(_ key: SessionKey, _ generation: UUID, _ number: Int) -> VaultItem {
    VaultItem(service: pieceService, account: "\(prefix(key))\(generation.uuidString)/\(number)")
  }

  /// What the accounts of a key's pieces begin with.
  private func prefix(_ key: SessionKey) -> String {
    ItemEnvelope.digest(Data(key.canonicalName.utf8)).prefix(16).base64EncodedString() + "/"
  }

  // MARK: Reading

  func read(_ key: SessionKey) throws(OstiaryError) -> Reading {
    guard let data = try vault.copy(item(key)) else { return .absent }
    switch ItemEnvelope(data) {
    case nil: return .damaged
    case .whole(let data), .ended(let data): return .present(data)
    case .pieces(let generation, let count, let digest):
      var whole = Data()
      for number in 0..<count {
        guard let piece = try vault.copy(piece(key, generation, number)) else { return .damaged }
        whole += piece
      }
      return ItemEnvelope.digest(whole) == digest ? .present(whole) : .damaged
    }
  }

  func keys() throws(OstiaryError) -> [SessionKey] {
    try vault.accounts(of: service, marked: .session).map { SessionKey($0) }.sorted { $0.name < $1.name }
  }

  // MARK: Changing

  func save(_ data: Data, _ key: SessionKey, replacing expected: StoreExpectation) throws(OstiaryError) {
    guard expected.matches(try readKeepingDamagedAside(key).data) else { throw .storeConflict }
    let hadPieces = try hasPieces(key)
    guard data.count >= pieceLimit else {
      try vault.put(item(key), ItemEnvelope.whole(data).bytes, .session)
      if hadPieces { removePieces(key, except: nil) }
      return
    }
    let generation = UUID()
    do throws(OstiaryError) {
      var count = 0
      var rest = data[...]
      while !rest.isEmpty {
        try vault.put(piece(key, generation, count), Data(rest.prefix(pieceLimit)), .session)
        rest = rest.dropFirst(pieceLimit)
        count += 1
      }
      let digest = ItemEnvelope.digest(data)
      try vault.put(
        item(key), ItemEnvelope.pieces(generation: generation, count: count, digest: digest).bytes, .session)
    } catch {
      // The item that failed may have been written all the same: what it names now decides.
      if let current = try? currentGeneration(key), current != generation { removePieces(key, except: current) }
      throw error
    }
    removePieces(key, except: generation)
  }

  /// Writes an ended entry, which is never split: it is small.
  func end(_ key: SessionKey, with entry: Data, ifHolding expected: StoreExpectation) throws(OstiaryError) {
    guard expected.matches(try readKeepingDamagedAside(key).data) else { throw .storeConflict }
    let hadPieces = try hasPieces(key)
    try vault.put(item(key), ItemEnvelope.ended(entry).bytes, .ended)
    if hadPieces { removePieces(key, except: nil) }
  }

  func remove(_ key: SessionKey, ifHolding expected: StoreExpectation) throws(OstiaryError) {
    guard let data = try readKeepingDamagedAside(key).data else { return }
    guard expected.matches(data) else { throw .storeConflict }
    let hadPieces = try hasPieces(key)
    try vault.delete(item(key))
    if hadPieces { removePieces(key, except: nil) }
  }

  /// Removes everything, what was kept aside too.
  func removeAll() throws(OstiaryError) {
    for service in [service, pieceService, damagedService] {
      for account in try vault.accounts(of: service, marked: nil) {
        try vault.delete(VaultItem(service: service, account: account))
      }
    }
  }

  /// Reads; what is damaged is kept under another service first, so that it is never lost.
  /// - Returns: `damaged` when that has happened now.
  func readKeepingDamagedAside(_ key: SessionKey) throws(OstiaryError) -> Reading {
    let reading = try read(key)
    guard reading == .damaged, let data = try vault.copy(item(key)) else { return reading }
    try vault.put(VaultItem(service: damagedService, account: key.canonicalName), data, .session)
    try vault.delete(item(key))
    return .damaged
  }

  private func hasPieces(_ key: SessionKey) throws(OstiaryError) -> Bool { try currentGeneration(key) != nil }

  private func currentGeneration(_ key: SessionKey) throws(OstiaryError) -> UUID? {
    guard let data = try vault.copy(item(key)), case .pieces(let generation, _, _) = ItemEnvelope(data) else {
      return nil
    }
    return generation
  }

  /// Removes pieces that belong to nothing, those of writers that died too. Where that fails, the next large session
  /// does it.
  private func removePieces(_ key: SessionKey, except generation: UUID?) {
    let kept = generation.map { prefix(key) + $0.uuidString }
    for account in (try? vault.accounts(of: pieceService, marked: nil)) ?? [] where account.hasPrefix(prefix(key)) {
      if let kept, account.hasPrefix(kept) { continue }
      try? vault.delete(VaultItem(service: pieceService, account: account))
    }
  }
}
