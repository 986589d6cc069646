import Foundation
import HTTPTypes
import OstiaryCore

/// How the org's data is written.
enum SalesforceDataFormat: Sendable {
  case json, xml

  /// What the caller wants: XML where its `Accept` names XML and not JSON before it.
  init(_ request: DoorRequest) {
    let types = request.headers[values: .accept].joined(separator: ",").lowercased()
    guard let xml = types.range(of: "/xml") else {
      self = .json
      return
    }
    let isAfterJSON = types.range(of: "json").map { $0.lowerBound < xml.lowerBound } ?? false
    self = isAfterJSON ? .json : .xml
  }

  /// An answer with a value.
  /// - Parameter root: What XML calls it.
  func response(_ value: JSONValue, root: String, status: HTTPResponse.Status = .ok) throws -> DoorResponse {
    switch self {
    case .json: return try .json(value, status: status).withCharset
    case .xml:
      guard case .array(let values) = value else {
        return .xml(SalesforceXML.elements(root, value).first ?? .element(root, []), status: status)
      }
      return .xml(.element(root, values.flatMap { SalesforceXML.elements("Item", $0) }), status: status)
    }
  }
}
