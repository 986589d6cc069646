import Foundation
import OstiaryCore
import OstiarySealing

extension FuzzTarget {
  /// A sealed session, opened with the key that may have sealed it.
  static let sealedRecord = FuzzTarget(name: "sealed-record") { bytes in
    let account = SessionKey("fuzz")
    let keys = SealingKeys(current: try SealingKey(bytes: Data(1...32)))
    let record = Data(bytes)
    if let opened = try? SealedRecord.open(record, for: account, with: keys) {
      try require(record.count == opened.count + SealedRecord.overhead, "nothing is made up")
    }
    let sealed = try SealedRecord.seal(record, for: account, with: keys.current)
    try require(try SealedRecord.open(sealed, for: account, with: keys) == record, "what was sealed is what is opened")
  }

  /// The text of a key file.
  static let keyFile = FuzzTarget(name: "key-file") { bytes in
    guard let keys = try? SealingKeys(text: Data(bytes)) else { return }
    try require(try SealingKeys(text: keys.revealText()) == keys, "what was written is what is read")
  }

  /// Files of other programs: cookies and tokens.
  static let imported = FuzzTarget(name: "imported") { bytes in
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    if let jar = try? CookieJar(netscapeFile: Data(bytes), now: now) {
      let copy = try JSONDecoder().decode(CookieJar.self, from: try JSONEncoder().encode(jar))
      try require(copy.cookies.map(\.name) == jar.cookies.map(\.name), "what was imported can be stored")
    }
    if let grant = try? SessionGrant(tokenResponse: Data(bytes), user: Session.User(id: "fuzz"), savedAt: now) {
      try require(grant.proof.tokens["access_token"]?.isEmpty == false, "there is an access token")
    }
  }
}
