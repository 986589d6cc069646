package import Foundation
package import OstiaryCore

/// An event of a server's audit trail, for people and programs: of this machine, or told by a server elsewhere.
package struct AuditReport: Sendable, Encodable {
  let id: Int64
  /// The place in the chain; `nil` for an event that has none yet.
  let number: Int64?
  let time: Date
  let kind: String
  let cause: String?
  /// The user's id.
  let user: String?
  /// What the user is called now; `nil` where that is not asked for, or there is no such user any more.
  let userName: String?
  /// A keyed hash of the name that was given, where no user was known.
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

  /// - Parameter told: the event as the server tells it, with its words.
  /// - Throws: ``OstiaryError`` `unexpectedResponse` for what is no event.
  package init(told: JSONValue) throws {
    func integer(_ name: String) -> Int64? { if case .integer(let value)? = told[name] { value } else { nil } }
    guard let id = integer("id"), let kind = told["kind"]?.string, let words = told["words"]?.string,
      let time = (told["time"]?.string).flatMap({ try? Date($0, strategy: .iso8601) })
    else {
      throw OstiaryError(
        .unexpectedResponse, WhyMessage.noEvent)
    }
    (self.id, self.kind, self.words, self.time) = (id, kind, words, time)
    (number, grant) = (integer("number"), integer("grant"))
    calls = integer("calls").flatMap { Int(exactly: $0) }
    times = integer("times").flatMap { Int(exactly: $0) } ?? 1
    (cause, user, userName) = (told["cause"]?.string, told["user"]?.string, told["userName"]?.string)
    (name, client, session) = (told["name"]?.string, told["client"]?.string, told["session"]?.string)
    (place, address, request) = (told["place"]?.string, told["address"]?.string, told["request"]?.string)
    actor = told["actor"]?.string ?? "server"
    isEnd = told["isEnd"]?.bool ?? false
  }

  /// One line for people.
  package var line: Line {
    let subject = userName ?? user ?? name.map { EventDetail.unknownUser($0).line.plain } ?? client ?? ""
    let who = subject.isEmpty ? "" : "\(subject): "
    let often: Line = times > 1 ? " (\(EventDetail.times(times).line))" : ""
    let whence = [place, address.map { EventDetail.from($0).line.plain }].compactMap { $0 }.joined(separator: " ")
    return
      "\(Timestamp.text(time), .dim)  \(who)\(words, isEnd ? .yellow : nil)\(often)  \(whence.isEmpty ? actor : whence, .dim)"
  }

  /// One line for programs.
  package func jsonLine() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    return try encoder.encode(self) + Data("\n".utf8)
  }

  /// Prints what `ostiary why --server` tells.
  package static func print(_ reports: [AuditReport], asJSON: Bool, on console: Console) throws {
    if asJSON { return try console.print(json: reports) }
    guard !reports.isEmpty else { return try console.print(WhyMessage.nothingYet) }
    try console.print(reports.map(\.line))
  }
}
