public import Foundation
internal import OstiaryCore
internal import OstiaryJOSE

/// What happened in a sign-in or renewal: every request, answer and decision, in order, with the secrets masked.
///
/// A ``SessionTraceRecorder`` records one. It can be passed on: what is not known to be harmless is shown as a mark, such as `‹3fa91c›`,
/// which is the same for the same secret within a trace and tells nothing of it outside.
public struct SessionTrace: Sendable, Hashable {
  /// When it began, by this device's clock.
  public let began: Date
  /// What happened.
  public let entries: [Entry]
  /// How many entries were left out, because there were too many.
  public let leftOut: Int

  /// One thing that happened.
  public struct Entry: Sendable, Hashable {
    /// When, in seconds since the beginning.
    public let seconds: Double
    /// What it is.
    public let kind: Kind
    /// Joins a request with its answer; `nil` of decisions.
    public let exchange: Int?
    /// The server, such as `https://as.example`; `nil` of decisions.
    public let server: String?
    /// The request line or the page, the status or `callback`, the error's or the event's name.
    public let title: String
    /// More of it.
    public let details: [Detail]

    init(
      seconds: Double, kind: Kind, exchange: Int? = nil, server: String? = nil, title: String, details: [Detail]
    ) {
      self.seconds = seconds
      self.kind = kind
      self.exchange = exchange
      self.server = server.map { ServerWords.printable($0.unicodeScalars) }
      self.title = ServerWords.printable(title.unicodeScalars)
      self.details = details
    }
  }

  /// What an entry can be.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A request left, or a browser was sent to a page.
    case request
    /// Its answer came, or the browser came back.
    case answer
    /// Neither came.
    case failure
    /// A session manager decided something.
    case decision
  }

  /// A name and what is shown for it.
  public struct Detail: Sendable, Hashable {
    /// The name.
    public let name: String
    /// The value, or its mark.
    public let value: String

    /// Nothing of a trace may move a terminal's cursor or turn a line around, whether it was recorded or read from a file.
    init(_ name: String, _ value: String) {
      self.name = ServerWords.printable(name.unicodeScalars)
      self.value = ServerWords.printable(value.unicodeScalars)
    }
  }

  init(began: Date, entries: [Entry], leftOut: Int) {
    self.began = began
    self.entries = entries
    self.leftOut = leftOut
  }
}

// MARK: As JSON

extension SessionTrace {
  /// The trace as JSON, which ``init(json:)`` reads.
  public var json: Data {
    let entries = entries.map { entry in
      var members: [String: JSONValue] = [
        "seconds": .number(entry.seconds), "kind": .string(entry.kind.rawValue), "title": .string(entry.title),
        "details": .array(entry.details.map { .array([.string($0.name), .string($0.value)]) }),
      ]
      members["exchange"] = entry.exchange.map { .integer(Int64($0)) }
      members["server"] = entry.server.map(JSONValue.string)
      return JSONValue.object(members)
    }
    let members: [String: JSONValue] = [
      "trace": 1, "began": .number(began.timeIntervalSince1970), "left_out": .integer(Int64(leftOut)),
      "entries": .array(entries),
    ]
    return Data(CompactJSON.object(members) ?? [])
  }

  /// Reads a trace.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput` for a document that is none, or is larger than 16 MiB.
  public init(json: Data) throws {
    let unreadable = OstiaryError.invalidOAuthInput(
      "The document is no trace.", "Record it with a SessionTraceRecorder.")
    guard json.count <= Self.maximumBytes, let members = JSONValue(json: json)?.object,
      members["trace"]?.double == 1, let began = members["began"]?.double, abs(began) < 1e11,
      let values = members["entries"]?.array
    else { throw unreadable }
    entries = try values.map { value in
      guard let entry = Entry(value) else { throw unreadable }
      return entry
    }
    self.began = Date(timeIntervalSince1970: began)
    leftOut = members["left_out"]?.double.flatMap { Int(exactly: $0) } ?? 0
  }

  private static let maximumBytes = 16 << 20
}

extension SessionTrace.Entry {
  fileprivate init?(_ value: JSONValue) {
    guard let seconds = value["seconds"]?.double, abs(seconds) < 1e9,
      let kind = value["kind"]?.string.flatMap(SessionTrace.Kind.init), let title = value["title"]?.string,
      let pairs = value["details"]?.array
    else { return nil }
    var details: [SessionTrace.Detail] = []
    for pair in pairs {
      guard let texts = pair.array?.compactMap(\.string), texts.count == 2 else { return nil }
      details.append(SessionTrace.Detail(texts[0], texts[1]))
    }
    self.init(
      seconds: seconds, kind: kind, exchange: value["exchange"]?.double.flatMap { Int(exactly: $0) },
      server: value["server"]?.string, title: title, details: details)
  }
}
