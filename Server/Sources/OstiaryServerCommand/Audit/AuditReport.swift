internal import Foundation
internal import OstiaryClientCommand
internal import OstiaryServer

/// An event for people and programs.
struct AuditReport: Sendable, Encodable {
  let id: Int64
  /// The place in the chain; `nil` for an event that has none yet.
  let number: Int64?
  let time: Date
  let kind: String
  let cause: String?
  /// The user's id.
  let user: String?
  /// The user's current name; `nil` if it was not requested, or the user no longer exists.
  let userName: String?
  /// A keyed hash of the given name, if no user was known.
  let name: String?
  let client: String?
  let session: String?
  let grant: Int64?
  let calls: Int?
  let times: Int
  let actor: String
  let place: String?
  let address: String?
  let request: String?
  private let words: String
  private let isEnd: Bool

  private enum CodingKeys: String, CodingKey {
    case id, number, time, kind, cause, user, userName, name, client, session, grant, calls, times, actor, place,
      address
    case request
  }

  init(_ record: AuditRecord, name userName: String? = nil) {
    id = record.id
    number = record.number
    time = record.date
    kind = record.kindName
    cause = record.causeName
    user = record.userID
    self.userName = userName
    name = record.nameMark
    client = record.clientID
    session = record.session
    grant = record.grantID
    calls = record.calls
    times = record.times
    actor = record.actor
    place = record.place
    address = record.address
    request = record.requestID
    words = record.words
    isEnd = record.kind?.isEnd == true
  }

  /// One line for people.
  var line: Line {
    let subject = userName ?? user ?? name.map { "unknown user \($0)" } ?? client ?? ""
    let who = subject.isEmpty ? "" : "\(subject): "
    let often = times > 1 ? " (\(times) times)" : ""
    let whence = [place, address.map { "from \($0)" }].compactMap { $0 }.joined(separator: " ")
    return
      "\(Timestamp.text(time), .dim)  \(who)\(words, isEnd ? .yellow : nil)\(often)  \(whence.isEmpty ? actor : whence, .dim)"
  }

  /// One line for programs.
  func jsonLine() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    return try encoder.encode(self) + Data("\n".utf8)
  }

  /// The names of users, by their ids.
  static func names(_ identity: IdentityService) async throws -> [String: String] {
    Dictionary(try await identity.users().map { ($0.id, $0.name) }) { first, _ in first }
  }
}

extension AuditRecord {
  /// The event and its cause as a sentence; in the words of the SDK if it has them.
  var words: String {
    let what = kind?.words ?? kindName.replacing("_", with: " ")
    let why = cause?.words ?? causeName?.replacing("_", with: " ")
    return why.map { "\(what) because \($0)" } ?? what
  }
}

/// Whether the trail is whole, for programs.
struct VerificationReport: Sendable, Encodable {
  let isWhole: Bool
  let problem: String?
  let sealed: Int
  let unsealed: Int
  let firstNumber: Int64
  let lastNumber: Int64

  init(_ result: AuditVerification) {
    isWhole = result.problem == nil
    problem = result.problem?.words
    sealed = result.sealed
    unsealed = result.unsealed
    firstNumber = result.start + 1
    lastNumber = result.end
  }
}
