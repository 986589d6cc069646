internal import Crypto
import Foundation

/// The result of checking the whole chain.
package struct AuditVerification: Sendable, Equatable {
  /// A problem and its place.
  package enum Problem: Sendable, Equatable {
    /// The signed mark of the chain's beginning or end is not the server's.
    case markForged(String)
    /// Rows with these numbers are gone.
    case missing(from: Int64, to: Int64)
    /// The row was changed, or is in another's place.
    case changed(number: Int64, id: Int64)
    /// The chain ends before the signed end.
    case cut(after: Int64, end: Int64)
    /// Rows have numbers beyond the chain's end.
    case surplus(number: Int64, id: Int64)
    /// The file beside the database is missing, though there is a trail.
    case witnessMissing
    /// The file beside the database is not the server's.
    case witnessDamaged
    /// The file beside the database has a later place of the chain, or a different one.
    case witnessDiffers(end: Int64, seen: Int64)
  }

  /// The first problem; nil if the chain is whole.
  package let problem: Problem?
  /// The rows that were found sealed and in their places.
  package let sealed: Int
  /// The rows that are not sealed yet.
  package let unsealed: Int
  /// The number after which the chain begins: rows up to it were removed because of their age.
  package let start: Int64
  /// The number of the last row.
  package let end: Int64

  /// - Parameters:
  ///   - keys: those with which rows have been sealed.
  ///   - isSettled: whether no change of the server's key is under way: the newest rows are then of the current key.
  init(
    keys: PurposeKeys, isSettled: Bool, witness: AuditWitness.Reading?, pageSize: Int, in db: StorageConnection
  ) throws {
    let stretches = try AuditStretches(in: db)
    let key = stretches.newestKey(of: keys) ?? keys.current.key
    let start = try AuditMark.start.find(in: db) ?? .beginning
    let end = try AuditMark.end.find(in: db) ?? .beginning
    self.start = start.number
    self.end = end.number
    var seen = AuditMark.Place?.none
    var witnessProblem: Problem?
    switch witness {
    case .none: break
    case .absent: witnessProblem = end.number > 0 ? .witnessMissing : nil
    case .damaged: witnessProblem = .witnessDamaged
    case .place(let place): seen = place
    }
    var walk = Walk(number: start.number, hash: start.hash, seen: seen, keys: keys, stretches: stretches)
    var found: Problem?
    // Of the owner of an earlier key, who could make a chain with it alone.
    let isOfCurrentKey = stretches.newest == keys.current.number || (end.isBeginning && stretches.newest == 1)
    if isSettled, !isOfCurrentKey { found = .markForged(AuditMark.end.rawValue) }
    if !stretches.beginnings.allSatisfy({ AuditStretches.isGenuine($0, keys) }) {
      found = .markForged(AuditMark.end.rawValue)
    }
    if found == nil, !AuditMark.start.isGenuine(start, key: key) { found = .markForged(AuditMark.start.rawValue) }
    if found == nil, !AuditMark.end.isGenuine(end, key: key) { found = .markForged(AuditMark.end.rawValue) }
    var count = 0
    while found == nil {
      let rows = try db.all(AuditStatements.sql.after, walk.number, pageSize) { AuditRecord(&$0) }
      guard !rows.isEmpty else { break }
      for row in rows {
        found = walk.step(to: row, end: end)
        guard found == nil else { break }
        count += 1
      }
    }
    if found == nil, walk.number < end.number { found = .cut(after: walk.number, end: end.number) }
    if found == nil, walk.hash != end.hash { found = .markForged(AuditMark.end.rawValue) }
    if found == nil { found = witnessProblem }
    if found == nil, let seen, !walk.hasMetSeen(start: start) {
      found = .witnessDiffers(end: end.number, seen: seen.number)
    }
    problem = found
    sealed = count
    unsealed =
      try db.count(AuditStatements.sql.count) - (found == nil ? count : try db.count(AuditStatements.sql.countSealed))
  }

  /// A pass along the chain.
  private struct Walk {
    var number: Int64
    var hash: Data
    let seen: AuditMark.Place?
    private var met = false
    private let keys: PurposeKeys
    private let stretches: AuditStretches

    init(number: Int64, hash: Data, seen: AuditMark.Place?, keys: PurposeKeys, stretches: AuditStretches) {
      self.number = number
      self.hash = hash
      self.seen = seen
      self.keys = keys
      self.stretches = stretches
    }

    mutating func step(to row: AuditRecord, end: AuditMark.Place) -> Problem? {
      guard let next = row.number, let seal = row.seal else { return nil }
      guard next == number + 1 else { return .missing(from: number + 1, to: next - 1) }
      guard next <= end.number else { return .surplus(number: next, id: row.id) }
      // Where a stretch begins the one before must have ended with the hash that the new key has sealed.
      if let beginning = stretches.beginnings.last(where: { $0.place.number == number }), beginning.place.hash != hash {
        return .changed(number: number, id: row.id)
      }
      guard let key = stretches.key(of: next, keys) else { return .changed(number: next, id: row.id) }
      let expected = row.seal(after: hash, number: next, key: key)
      guard ConstantTime.isEqual(expected, seal) else { return .changed(number: next, id: row.id) }
      (number, hash) = (next, seal)
      if let seen, seen.number == next, seen.hash == seal { met = true }
      return nil
    }

    /// Whether the file's place is one of the chain, or one before its beginning.
    func hasMetSeen(start: AuditMark.Place) -> Bool {
      guard let seen else { return true }
      return met || seen.number < start.number || (seen.number == start.number && seen.hash == start.hash)
    }
  }
}

extension AuditVerification.Problem {
  /// The problem, as a sentence.
  package var words: String {
    switch self {
    case .markForged(let name): "The mark of the trail's \(name) was not written by this server."
    case .missing(let from, let to) where from == to: "Row \(from) is missing."
    case .missing(let from, let to): "Rows \(from) to \(to) are missing."
    case .changed(let number, let id): "Row \(number) (id \(id)) was changed, or is in another row's place."
    case .cut(let after, let end): "The trail ends after row \(after): rows up to \(end) are missing."
    case .surplus(let number, let id): "Row \(number) (id \(id)) stands beyond the end of the trail."
    case .witnessMissing: "The file beside the database is missing: the end of the trail can't be held to it."
    case .witnessDamaged: "The file beside the database was not written by this server."
    case .witnessDiffers(let end, let seen):
      "The trail ends at row \(end); the file beside the database has seen another row \(seen)."
    }
  }
}
