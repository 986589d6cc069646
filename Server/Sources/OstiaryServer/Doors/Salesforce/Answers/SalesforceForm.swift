import OstiaryCore

/// The fields of a form body, read tolerantly: the Mobile SDK sends values without percent-encoding.
struct SalesforceForm: Sendable {
  private let values: [String: String]
  /// Whether a name occurs more than once.
  private let repeatsName: Bool
  /// The most fields that are read.
  private static let most = 100

  /// The fields of a request's body. A percent sign that begins no valid sequence is kept.
  init(_ request: DoorRequest) {
    var values: [String: String] = [:]
    var repeatsName = false
    for pair in request.body.split(separator: UInt8(ascii: "&")).prefix(Self.most) {
      let encoded = pair.prefix { $0 != UInt8(ascii: "=") }
      let (name, value) = (Self.decode(encoded), Self.decode(pair.dropFirst(encoded.count + 1)))
      if values.updateValue(value, forKey: name) != nil { repeatsName = true }
    }
    self.values = values
    self.repeatsName = repeatsName
  }

  /// The fields of a query.
  init(query: FormFields) {
    values = Dictionary(query.all.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    repeatsName = values.count < query.all.count
  }

  /// - Throws: `SalesforceOAuthFailure` `invalid_request` if a parameter occurs twice (RFC 6749 §3.1): two parsers, one of which
  ///   reads the first and the other the last, would see two requests.
  func demandSingleParameters() throws(SalesforceOAuthFailure) {
    guard !repeatsName else { throw SalesforceOAuthFailure("invalid_request", "a parameter is repeated") }
  }

  /// The value of a field; nil for an empty one.
  subscript(name: String) -> String? {
    values[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func decode(_ bytes: some Collection<UInt8>) -> String {
    FormFields.decode(bytes, plusIsSpace: true) ?? String(decoding: bytes, as: UTF8.self)
  }
}

extension SalesforceForm: CustomStringConvertible, CustomReflectable {
  /// The number of fields; never their content.
  var description: String { "\(values.count) fields" }
  var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}
