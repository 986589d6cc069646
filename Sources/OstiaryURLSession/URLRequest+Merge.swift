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
      let name = field.name.rawName
      guard all.updateValue(field.value, forKey: name) == nil else { continue }
      // The name is new as it is spelled; another spelling of it would be sent as well.
      let length = name.utf8.count
      for other in all.keys where other.utf8.count == length && other != name {
        if other.lowercased() == field.name.canonicalName { all[other] = nil }
      }
    }
    allHTTPHeaderFields = all
  }
}
