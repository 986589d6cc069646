internal import Foundation
internal import Ostiary

/// The fields of a form, from one of the vendor's dictionaries: in the order of their names, as a dictionary has none.
struct FormParameters: Sendable {
  let pairs: [(name: String, value: String)]

  init(_ dictionary: [AnyHashable: Any]?) {
    pairs = (dictionary ?? [:])
      .map { (name: Self.text($0.key.base), value: $0.value) }
      .sorted { $0.name < $1.name }
      .flatMap { field in
        (field.value as? [Any] ?? [field.value]).map { (field.name, Self.text($0)) }
      }
  }

  /// The fields in the encoding of forms.
  var encoded: String { FormEncoding.serialize(pairs) }

  /// The fields in the encoding of a query.
  var query: String {
    pairs.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
  }

  /// A name or value as text: nothing for nothing, `true` and `false` for those.
  static func text(_ value: Any) -> String {
    switch value {
    case let text as String: text
    case is NSNull: ""
    case Optional<Any>.none: ""
    default: "\(value)"
    }
  }
}
