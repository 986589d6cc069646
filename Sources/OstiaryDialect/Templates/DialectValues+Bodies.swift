package import Foundation
package import HTTPTypes
package import OstiaryCore

extension DialectValues {
  /// The items of a query, escaped; `nil` where there is none.
  package func query(_ fields: [DialectField]) throws(OstiaryError) -> Secret? {
    var items: [String] = []
    for field in fields {
      guard let value = try fill(field.value, in: .query) else { continue }
      items.append("\(PercentEncoding.encode(field.name))=\(value.reveal())")
    }
    return items.isEmpty ? nil : Secret(items.joined(separator: "&"))
  }

  /// A form's body.
  package func form(_ fields: [DialectField]) throws(OstiaryError) -> Data {
    var pairs: [(name: String, value: String)] = []
    for field in fields {
      guard let value = try fill(field.value, in: .form) else { continue }
      pairs.append((field.name, value.reveal()))
    }
    return Data(FormEncoding.serialize(pairs).utf8)
  }

  /// Fields of a request.
  package func headers(_ fields: [DialectField]) throws(OstiaryError) -> HTTPFields {
    var result = HTTPFields()
    for field in fields {
      guard let name = HTTPField.Name(field.name) else { throw DialectValueRefusal.fieldName.error }
      guard let value = try fill(field.value, in: .header) else { continue }
      result.append(HTTPField(name: name, value: value.reveal()))
    }
    return result
  }

  /// The value of an `Authorization` field of the scheme `Basic`.
  package func authorization(_ basic: DialectBasic) throws(OstiaryError) -> Secret? {
    guard let username = try fill(basic.username, in: .basic), let password = try fill(basic.password, in: .basic)
    else { return nil }
    do {
      return try BasicCredentials.authorization(username: username.reveal(), password: password)
    } catch {
      throw DialectValueRefusal.basic(basic.username.names + basic.password.names).error
    }
  }

  /// A JSON body.
  package func json(_ body: DialectJSON) throws(OstiaryError) -> Data {
    Data((try filled(body) ?? .null).bytes)
  }

  /// A JSON value with its texts filled; `nil` for a text that is left out.
  package func filled(_ json: DialectJSON) throws(OstiaryError) -> OrderedJSON? {
    switch json {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .number(let value): return .number(value)
    case .text(let template): return try filled(template)
    case .array(let elements):
      var result: [OrderedJSON] = []
      for element in elements {
        if let element = try filled(element) { result.append(element) }
      }
      return .array(result)
    case .object(let members):
      var result: [OrderedJSON.Member] = []
      for member in members {
        if let value = try filled(member.value) { result.append(OrderedJSON.Member(member.name, value)) }
      }
      return .object(result)
    }
  }

  private func filled(_ template: DialectTemplate) throws(OstiaryError) -> OrderedJSON? {
    guard let only = template.onlyValue, only.kind != .text else {
      return try fill(template, in: .json).map { .string($0.reveal()) }
    }
    guard let text = try value(only, in: .json) else { return nil }
    // Read as JSON, so that nothing else than one number or flag can be written.
    switch (only.kind, JSONValue(json: Data(text.utf8))) {
    case (.number, .integer(let number)?): return .integer(number)
    // A whole number that is too long would be sent as another one.
    case (.number, .number(let number)?) where text.utf8.contains(where: { ".eE".utf8.contains($0) }):
      return .number(number)
    case (.boolean, .bool(let flag)?): return .bool(flag)
    default: throw DialectValueRefusal.notTyped(only.name, only.kind).error
    }
  }
}
