import OstiaryCore

/// The fields of a form body, read tolerantly: the Mobile SDK sends values as they are, without percent-encoding them.
struct SalesforceForm: Sendable {
  private let values: [String: String]
  /// Whether a name stands there more than once.
  private let repeatsName: Bool
  /// The most fields that are read.
  private static let most = 100

  /// The fields of a request's body. A percent sign that begins no sequence stays what it is.
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

  /// - Throws: `SalesforceOAuthFailure` `invalid_request` where a parameter stands there twice (RFC 6749 §3.1): who reads the first
  ///   and who reads the last would see two requests.
  func demandSingleParameters() throws(SalesforceOAuthFailure) {
    guard !repeatsName else { throw SalesforceOAuthFailure("invalid_request", "a parameter is repeated") }
  }

  /// The value of a field; an empty one is none.
  subscript(name: String) -> String? {
    values[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func decode(_ bytes: some Collection<UInt8>) -> String {
    FormFields.decode(bytes, plusIsSpace: true) ?? String(decoding: bytes, as: UTF8.self)
  }
}

extension SalesforceForm: CustomStringConvertible, CustomReflectable {
  /// How many fields there are; never what they say.
  var description: String { "\(values.count) fields" }
  var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}
