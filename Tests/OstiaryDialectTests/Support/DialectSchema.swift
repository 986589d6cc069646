import OstiaryCore

/// As much of JSON Schema 2020-12 as the dialect's schema uses. A keyword that it does not know accepts nothing.
struct DialectSchema {
  private let root: OrderedJSON

  init(_ root: OrderedJSON) {
    self.root = root
  }

  func accepts(_ value: OrderedJSON) -> Bool { accepts(value, root) }

  private func accepts(_ value: OrderedJSON, _ schema: OrderedJSON) -> Bool {
    let members = schema.members ?? []
    return members.allSatisfy { accepts(value, keyword: $0.name, $0.value, of: schema) }
  }

  private func accepts(_ value: OrderedJSON, keyword: String, _ argument: OrderedJSON, of schema: OrderedJSON) -> Bool {
    switch keyword {
    case "$schema", "$defs", "title", "description": return true
    case "$ref":
      let name = argument.string?.split(separator: "/").last.map(String.init) ?? ""
      return root["$defs"]?[name].map { accepts(value, $0) } ?? false
    case "const": return value == argument
    case "enum": return argument.elements?.contains(value) ?? false
    case "oneOf": return argument.elements?.count { accepts(value, $0) } == 1
    case "anyOf": return argument.elements?.contains { accepts(value, $0) } ?? false
    case "type":
      let names = argument.elements?.compactMap(\.string) ?? [argument.string ?? ""]
      return names.contains { Self.isOf(type: $0, value) }
    case "minimum": return value.int.map { $0 >= argument.int ?? .max } ?? true
    case "maximum": return value.int.map { $0 <= argument.int ?? .min } ?? true
    case "minLength": return value.string.map { $0.unicodeScalars.count >= argument.int ?? .max } ?? true
    case "maxLength": return value.string.map { $0.unicodeScalars.count <= argument.int ?? .min } ?? true
    case "items": return value.elements?.allSatisfy { accepts($0, argument) } ?? true
    case "minItems": return value.elements.map { $0.count >= argument.int ?? .max } ?? true
    case "maxItems": return value.elements.map { $0.count <= argument.int ?? .min } ?? true
    case "minProperties": return value.members.map { $0.count >= argument.int ?? .max } ?? true
    case "maxProperties": return value.members.map { $0.count <= argument.int ?? .min } ?? true
    case "propertyNames": return value.members?.allSatisfy { accepts(.string($0.name), argument) } ?? true
    case "required":
      return value.members == nil || (argument.elements ?? []).allSatisfy { value[$0.string ?? ""] != nil }
    case "properties":
      return value.members?.allSatisfy { member in argument[member.name].map { accepts(member.value, $0) } ?? true }
        ?? true
    case "additionalProperties":
      let known = Set(schema["properties"]?.members?.map(\.name) ?? [])
      let others = value.members?.filter { !known.contains($0.name) } ?? []
      if argument.bool == false { return others.isEmpty }
      return others.allSatisfy { accepts($0.value, argument) }
    default: return false
    }
  }

  private static func isOf(type: String, _ value: OrderedJSON) -> Bool {
    switch value {
    case .null: type == "null"
    case .bool: type == "boolean"
    case .integer: type == "integer" || type == "number"
    case .number: type == "number"
    case .string: type == "string"
    case .array: type == "array"
    case .object: type == "object"
    }
  }
}
