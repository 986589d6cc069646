internal import Foundation

extension JSONValue {
  /// Decodes a value of this type, as `JSONDecoder` with its own settings would from the text: a date is its seconds since
  /// 2001, a URL its text, data its base64.
  /// - Throws: `DecodingError`.
  public func decode<Content: Decodable>(_ type: Content.Type) throws -> Content {
    try JSONValueDecoder(self).decode(type)
  }
}

/// The decoder behind ``JSONValue/decode(_:)``.
///
/// What rests in a store is read at every start, for every account. One parse and one walk take a third of the time that
/// `JSONDecoder` takes, and a member that holds any JSON is there already.
private struct JSONValueDecoder: Decoder {
  let value: JSONValue
  private let parents: [any CodingKey]
  private let key: (any CodingKey)?

  init(_ value: JSONValue, in parents: [any CodingKey] = [], at key: (any CodingKey)? = nil) {
    self.value = value
    self.parents = parents
    self.key = key
  }

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Made when it is asked for: most members need none.
  var codingPath: [any CodingKey] { key.map { parents + [$0] } ?? parents }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = value else { throw mismatch("an object") }
    return KeyedDecodingContainer(JSONMembers(members: members, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value else { throw mismatch("an array") }
    return JSONElements(elements: elements, codingPath: codingPath)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  fileprivate func mismatch(_ wanted: String) -> DecodingError {
    .typeMismatch(JSONValue.self, .init(codingPath: codingPath, debugDescription: "It is not \(wanted)."))
  }

  // Not generic: the containers call these for most members.

  fileprivate func bool() throws -> Bool {
    guard case .bool(let bool) = value else { throw mismatch("a boolean") }
    return bool
  }

  fileprivate func string() throws -> String {
    guard case .string(let text) = value else { throw mismatch("a string") }
    return text
  }

  fileprivate func double() throws -> Double {
    guard let number = value.double else { throw mismatch("a number") }
    return number
  }

  fileprivate func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
    switch value {
    case .integer(let number): if let exact = Number(exactly: number) { return exact }
    case .number(let number): if let exact = Number(exactly: number) { return exact }
    default: break
    }
    throw mismatch("an integer of this size")
  }
}

extension JSONValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { value == .null }
  func decode(_ type: Bool.Type) throws -> Bool { try bool() }
  func decode(_ type: String.Type) throws -> String { try string() }
  func decode(_ type: Double.Type) throws -> Double { try double() }
  func decode(_ type: Float.Type) throws -> Float { Float(try double()) }
  func decode(_ type: Int.Type) throws -> Int { try integer(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }

  func decode<Content: Decodable>(_ type: Content.Type) throws -> Content {
    if type == URL.self {
      guard let url = URL(string: try string()) as? Content else { throw mismatch("a URL") }
      return url
    }
    if type == Data.self {
      guard let data = Data(base64Encoded: try string()) as? Content else { throw mismatch("base64") }
      return data
    }
    // What holds any JSON is taken as it is: reading it type by type is slow.
    if type == JSONValue.self, let value = value as? Content { return value }
    if type == [String: JSONValue].self, let members = value.object as? Content { return members }
    return try Content(from: self)
  }
}

/// The members of an object.
private struct JSONMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let members: [String: JSONValue]
  let codingPath: [any CodingKey]

  var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

  private func decoder(_ key: some CodingKey) throws -> JSONValueDecoder {
    guard let value = members[key.stringValue] else {
      throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "It is missing."))
    }
    return JSONValueDecoder(value, in: codingPath, at: key)
  }

  /// The decoder of a member that may be missing or `null`.
  private func present(_ key: Key) -> JSONValueDecoder? {
    guard let value = members[key.stringValue], value != .null else { return nil }
    return JSONValueDecoder(value, in: codingPath, at: key)
  }

  func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).decodeNil() }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try decoder(key).bool() }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try decoder(key).string() }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try decoder(key).double() }
  func decode<Content: Decodable>(_ type: Content.Type, forKey key: Key) throws -> Content {
    try decoder(key).decode(type)
  }
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try present(key)?.bool() }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try present(key)?.string() }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try present(key)?.double() }
  func decodeIfPresent<Content: Decodable>(_ type: Content.Type, forKey key: Key) throws -> Content? {
    try present(key)?.decode(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try decoder(key).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(key).unkeyedContainer()
  }
  func superDecoder() throws -> any Decoder { JSONValueDecoder(.object(members), in: codingPath) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
}

/// The elements of an array.
private struct JSONElements: UnkeyedDecodingContainer {
  let elements: [JSONValue]
  let codingPath: [any CodingKey]
  private(set) var currentIndex = 0

  init(elements: [JSONValue], codingPath: [any CodingKey]) {
    self.elements = elements
    self.codingPath = codingPath
  }

  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  private mutating func next() throws -> JSONValueDecoder {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        JSONValue.self, .init(codingPath: codingPath, debugDescription: "There are no more elements."))
    }
    defer { currentIndex += 1 }
    return JSONValueDecoder(elements[currentIndex], in: codingPath)
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, elements[currentIndex] == .null else { return false }
    currentIndex += 1
    return true
  }
  mutating func decode<Content: Decodable>(_ type: Content.Type) throws -> Content { try next().decode(type) }
  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
    try next().container(keyedBy: type)
  }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }
  mutating func superDecoder() throws -> any Decoder { try next() }
}
