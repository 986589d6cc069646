internal import Foundation
internal import HTTPTypes

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension URLRequest {
  /// Sets fields, replacing those of the same name in any spelling.
  ///
  /// All at once through `allHTTPHeaderFields`: on Linux, setting one field validates its value grapheme by grapheme.
  mutating func merge(_ fields: [HTTPField]) {
    guard !fields.isEmpty else { return }
    var all = allHTTPHeaderFields ?? [:]
    for field in fields {
      if all.updateValue(field.value, forKey: field.name.rawName) == nil, all.count > 1 {
        let spelled = all.keys.filter { $0 != field.name.rawName && $0.lowercased() == field.name.canonicalName }
        for other in spelled { all[other] = nil }
      }
    }
    allHTTPHeaderFields = all
  }
}
