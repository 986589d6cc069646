import Foundation
import HTTPTypes
import OstiaryCore

/// The format of the org's data.
enum SalesforceDataFormat: Sendable {
  case json, xml

  /// The format that the caller asks for: XML if its `Accept` names XML and not JSON before it.
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
  /// - Parameter root: The name of the root element in XML.
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
