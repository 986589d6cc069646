import HTTPTypes
import OstiaryCore

/// A part of an XML answer. Names are the server's own; all text is escaped.
indirect enum SalesforceXML: Sendable {
  case element(name: String, attributes: [(String, String)], children: [SalesforceXML])
  case text(String)

  static func element(_ name: String, _ children: [SalesforceXML]) -> SalesforceXML {
    .element(name: name, attributes: [], children: children)
  }

  static func element(_ name: String, text: String) -> SalesforceXML {
    .element(name: name, attributes: [], children: [.text(text)])
  }

  /// The elements of a JSON value: lists repeat their element, and a record's `attributes` are attributes.
  static func elements(_ name: String, _ value: JSONValue) -> [SalesforceXML] {
    switch value {
    case .array(let values): return values.flatMap { elements(name, $0) }
    case .object(let members):
      let attributes = members["attributes"]?.object ?? [:]
      let children = members.filter { $0.key != "attributes" }.sorted { $0.key < $1.key }
      return [
        .element(
          name: name,
          attributes: attributes.sorted { $0.key < $1.key }.compactMap { key, value in
            value.string.map { (key, $0) }
          },
          children: children.flatMap { elements($0.key, $0.value) })
      ]
    case .null: return [.element(name: name, attributes: [("xsi:nil", "true")], children: [])]
    case .string(let text): return [.element(name, text: text)]
    case .bool(let flag): return [.element(name, text: flag ? "true" : "false")]
    case .integer(let number): return [.element(name, text: String(number))]
    case .number(let number): return [.element(name, text: String(number))]
    }
  }

  /// The whole document.
  var document: String { "<?xml version=\"1.0\" encoding=\"UTF-8\"?>" + markup(isRoot: true) }

  private func markup(isRoot: Bool = false) -> String {
    switch self {
    case .text(let text): return Self.escape(text)
    case .element(let name, let attributes, let children):
      var start = "<" + name
      // For nil values inside.
      if isRoot { start += " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"" }
      for (name, value) in attributes { start += " \(name)=\"\(Self.escape(value))\"" }
      return children.isEmpty ? start + "/>" : start + ">" + children.map { $0.markup() }.joined() + "</\(name)>"
    }
  }

  /// Characters that XML 1.0 does not allow at all (§2.2) are replaced.
  private static func escape(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\t", "\n", "\r": escaped += "&#\(scalar.value);"
      default:
        let isAllowed = scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
        escaped.unicodeScalars.append(isAllowed ? scalar : "\u{FFFD}")
      }
    }
    return escaped
  }
}

extension DoorResponse {
  /// An answer in XML.
  static func xml(_ element: SalesforceXML, status: HTTPResponse.Status = .ok) -> DoorResponse {
    DoorResponse(
      status: status, headers: [.contentType: "application/xml;charset=UTF-8"], body: Array(element.document.utf8))
  }
}
