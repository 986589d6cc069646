internal import Crypto
package import Foundation

/// An event as the database has it.
package struct AuditRecord: Sendable, Equatable {
  /// Rows of one writer have ids in the order in which they were written.
  package let id: Int64
  package let date: Date
  /// As stored: an older server may know fewer kinds.
  package let kindName: String
  package let causeName: String?
  package let userID: String?
  package let nameMark: String?
  package let clientID: String?
  package let session: String?
  package let grantID: Int64?
  package let calls: Int?
  package let times: Int
  package let actor: String
  package let place: String?
  package let address: String?
  package let requestID: String?
  /// The place in the chain; nil for a row that has not been sealed yet.
  package let number: Int64?
  let seal: Data?

  package var kind: AuditKind? { AuditKind(rawValue: kindName) }
  package var cause: AuditCause? { causeName.flatMap(AuditCause.init) }

  init(_ reader: inout ColumnReader) {
    (id, date) = (reader.next(), reader.next())
    (kindName, causeName) = (reader.next(), reader.next())
    (userID, nameMark, clientID, session) = (reader.next(), reader.next(), reader.next(), reader.next())
    (grantID, calls, times) = (reader.next(), reader.next(), reader.next())
    (actor, place, address, requestID) = (reader.next(), reader.next(), reader.next(), reader.next())
    (number, seal) = (reader.next(), reader.next())
  }

  /// The seal that holds the row in its place: a keyed hash over the seal before it, its number, and all its values.
  func seal(after hash: Data, number: Int64, key: SymmetricKey) -> Data {
    var code = HMAC<SHA256>(key: key)
    code.update(data: hash)
    var bytes = Data()
    func add(_ value: UInt64) { withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) } }
    func add(_ text: String?) {
      guard let text else { return bytes.append(0) }
      bytes.append(1)
      add(UInt64(text.utf8.count))
      bytes.append(contentsOf: text.utf8)
    }
    func add(_ value: Int64?) {
      bytes.append(value == nil ? 0 : 1)
      add(UInt64(bitPattern: value ?? 0))
    }
    add(number)
    add(id)
    add(date.timeIntervalSince1970.bitPattern)
    for text in [kindName, causeName, userID, nameMark, clientID, session, actor, place, address, requestID] {
      add(text)
    }
    for value in [grantID, calls.map(Int64.init), Int64(times)] { add(value) }
    code.update(data: bytes)
    return Data(code.finalize())
  }
}

/// The keys of the trail, derived from the server's own: those for the chain of rows, and those for names.
final class AuditKeys: StorageCompanion {
  private let ring: KeyRing
  var seals: PurposeKeys { ring.keys(for: "audit.seals") }

  private init(_ ring: KeyRing) { self.ring = ring }

  /// The keys of a storage.
  static func of(_ storage: ServerStorage) -> AuditKeys { storage.shared { AuditKeys(storage.key) } }

  /// The mark of a name: the same for every spelling of it, and of no use to a reader without the key.
  func mark(_ name: NameKey) -> String { Self.mark(name, ring.keys(for: "audit.names").current.key) }

  /// The marks that a name has had, with each key of the server.
  func marks(_ name: NameKey) -> [String] { ring.keys(for: "audit.names").all.map { Self.mark(name, $0.key) } }

  private static func mark(_ name: NameKey, _ key: SymmetricKey) -> String {
    Data(HMAC<SHA256>.authenticationCode(for: name.data, using: key)).prefix(12).base64URL
  }

  func forgetAll() {}
}
