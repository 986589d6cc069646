package import Foundation
package import OstiaryCore

/// One value that was read of an answer, and where it was.
package struct DialectFound: Sendable, Hashable {
  /// What the document calls it: `token`, `userID`, `attributes/role`.
  package let name: String
  /// The value. It may be secret.
  package let value: JSONValue
  /// Where it was. The words are made when a person looks at them.
  private let place: Place

  private struct Place: Sendable, Hashable {
    let site: String
    /// Of several places, the number of this one.
    let index: Int?
    let read: DialectRead?
    let words: String
  }

  /// What a read found.
  init(name: String, value: JSONValue, site: String, index: Int?, read: DialectRead) {
    self.name = name
    self.value = value
    place = Place(site: site, index: index, read: read, words: "")
  }

  /// What was found in another way.
  init(name: String, value: JSONValue, site: String, index: Int?, placeInAnswer: String) {
    self.name = name
    self.value = value
    place = Place(site: site, index: index, read: nil, words: placeInAnswer)
  }

  /// The place in the document that it was read by.
  package var placeInDocument: String {
    place.site + (name.hasPrefix("/") ? name : "/reads/\(name)") + (place.index.map { "/\($0)" } ?? "")
  }

  /// The place in the answer that it was read from, in words.
  package var placeInAnswer: String { place.read?.placeInAnswer ?? place.words }
}

extension DialectFound: Redacted {
  /// What it is and where it was; never the value.
  package var description: String { "\(name) from \(placeInAnswer) (“\(placeInDocument)”)" }
}

/// What was read of a successful answer.
package struct DialectFindings: Sendable, Hashable {
  /// The session's token.
  package var token: Secret?
  /// The token that renews the session.
  package var renewalToken: Secret?
  /// What kind of token it is.
  package var kind: String?
  /// The user's identifier.
  package var userID: String?
  /// The user's name.
  package var userName: String?
  /// When the proof is over, by this device's clock; `nil` when only the server knows.
  package var expiresAt: Date?
  /// When the renewal token is over, by this device's clock.
  package var renewalExpiresAt: Date?
  /// What the session keeps for the app.
  package var attributes: [String: JSONValue] = [:]
  /// What later calls use.
  package var values: [String: Secret] = [:]
  /// Every value that was there, with its places, in the order in which they were read.
  package var found: [DialectFound] = []

  package init() {}

  /// Takes over what a later answer says; what it does not say stays.
  package mutating func merge(_ later: DialectFindings) {
    if later.token != nil {
      token = later.token
      // An expiry is the one of the token that it came with.
      expiresAt = later.expiresAt
    } else {
      expiresAt = later.expiresAt ?? expiresAt
    }
    renewalToken = later.renewalToken ?? renewalToken
    kind = later.kind ?? kind
    userID = later.userID ?? userID
    userName = later.userName ?? userName
    renewalExpiresAt = later.renewalExpiresAt ?? renewalExpiresAt
    attributes.merge(later.attributes) { $1 }
    values.merge(later.values) { $1 }
    found += later.found
  }
}

extension DialectFindings: Redacted {
  /// What was read from where; never a value.
  package var description: String { found.map(\.description).joined(separator: "; ") }
}
