import OstiaryCore

/// The fields of a form body, read tolerantly: the Mobile SDK sends values as they are, without percent-encoding them.
struct SalesforceForm: Sendable {
  private let values: [String: String]
  /// The most fields that are read.
  private static let most = 100

  /// The fields of a request's body. A percent sign that begins no sequence stays what it is; of several fields with one
  /// name the first counts.
  init(_ request: DoorRequest) {
    var values: [String: String] = [:]
    for pair in request.body.split(separator: UInt8(ascii: "&")).prefix(Self.most) {
      let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
      let (name, value) = (Self.decode(pair[..<equals]), Self.decode(pair[equals...].dropFirst()))
      if values[name] == nil { values[name] = value }
    }
    self.values = values
  }

  /// The fields of a query.
  init(query: FormFields) {
    values = Dictionary(query.all.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
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
