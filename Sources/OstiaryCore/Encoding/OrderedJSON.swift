/// A JSON value whose members keep their order, read as strictly as ``StrictJSON`` reads: each name stands once in its object.
///
/// It is for documents that people write, where the order says something and each mistake has a place.
package indirect enum OrderedJSON: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([OrderedJSON])
  case object([Member])

  /// A member of an object.
  package struct Member: Sendable, Hashable {
    package var name: String
    package var value: OrderedJSON

    package init(_ name: String, _ value: OrderedJSON) {
      self.name = name
      self.value = value
    }
  }

  /// Why a text is not read.
  package enum Failure: Error, Sendable, Hashable {
    /// The text is not JSON in a line, counted from 1.
    case malformed(line: Int)
    /// Arrays and objects are nested too deep in a line, counted from 1.
    case tooDeep(line: Int)
    /// An object has two members of one name. The names and the numbers of elements lead there.
    case repeatedName([String])
  }

  /// Reads one JSON text in UTF-8 (RFC 8259), with or without a byte order mark.
  /// - Parameters:
  ///   - bytes: the text.
  ///   - maximumDepth: how deep arrays and objects may be nested.
  package init(_ bytes: [UInt8], maximumDepth: Int) throws(Failure) {
    var parser = JSONParser(bytes, maximumDepth: maximumDepth, keepsNames: true)
    guard let value = parser.parse() else {
      let line = bytes.prefix(parser.position).count { $0 == UInt8(ascii: "\n") } + 1
      throw parser.isTooDeep ? .tooDeep(line: line) : .malformed(line: line)
    }
    if let place = parser.repeatedPlace { throw .repeatedName(place) }
    // Each name stands once in its object, so the names in the order of the text tell the order of each object's members.
    var names = parser.names[...]
    self = Self.ordered(value, by: &names)
  }

  private static func ordered(_ value: JSONValue, by names: inout ArraySlice<String>) -> OrderedJSON {
    switch value {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .number(let value): return .number(value)
    case .string(let value): return .string(value)
    case .array(let elements): return .array(elements.map { ordered($0, by: &names) })
    case .object(let members):
      var result: [Member] = []
      result.reserveCapacity(members.count)
      while result.count < members.count, let name = names.popFirst() {
        result.append(Member(name, ordered(members[name] ?? .null, by: &names)))
      }
      return .object(result)
    }
  }
}

extension OrderedJSON {
  /// The text of a string.
  package var string: String? { if case .string(let value) = self { value } else { nil } }
  /// The value of a boolean.
  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The value of a whole number.
  package var int: Int? { if case .integer(let value) = self { Int(exactly: value) } else { nil } }
  /// The elements of an array.
  package var elements: [OrderedJSON]? { if case .array(let value) = self { value } else { nil } }
  /// The members of an object, in their order.
  package var members: [Member]? { if case .object(let value) = self { value } else { nil } }

  /// A member of an object.
  package subscript(name: String) -> OrderedJSON? { members?.first { $0.name == name }?.value }
}

extension OrderedJSON {
  /// The text in UTF-8 on one line, without a blank.
  package var bytes: [UInt8] {
    var output: [UInt8] = []
    write(into: &output, indentation: nil)
    return output
  }

  /// The text in UTF-8 on indented lines; arrays of scalars and empty objects stay on one.
  package var indentedBytes: [UInt8] {
    var output: [UInt8] = []
    write(into: &output, indentation: 0)
    output.append(UInt8(ascii: "\n"))
    return output
  }

  private var isScalar: Bool {
    switch self {
    case .array, .object: false
    default: true
    }
  }

  private func write(into output: inout [UInt8], indentation: Int?) {
    switch self {
    case .null: output += Array("null".utf8)
    case .bool(let value): output += Array((value ? "true" : "false").utf8)
    case .integer(let value): output += Array(String(value).utf8)
    // JSON has no infinity, and no value that was read is one.
    case .number(let value): output += Array((value.isFinite ? "\(value)" : "null").utf8)
    case .string(let value): Self.write(value, into: &output)
    case .array(let elements):
      let inner = elements.allSatisfy(\.isScalar) ? nil : indentation.map { $0 + 2 }
      output.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        if let inner {
          Self.beginLine(in: &output, indentation: inner)
        } else if index > 0, indentation != nil {
          output.append(UInt8(ascii: " "))
        }
        element.write(into: &output, indentation: inner)
      }
      if inner != nil, let indentation { Self.beginLine(in: &output, indentation: indentation) }
      output.append(UInt8(ascii: "]"))
    case .object(let members):
      let inner = indentation.map { $0 + 2 }
      output.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        if let inner { Self.beginLine(in: &output, indentation: inner) }
        Self.write(member.name, into: &output)
        output.append(UInt8(ascii: ":"))
        if inner != nil { output.append(UInt8(ascii: " ")) }
        member.value.write(into: &output, indentation: inner)
      }
      if let indentation, !members.isEmpty { Self.beginLine(in: &output, indentation: indentation) }
      output.append(UInt8(ascii: "}"))
    }
  }

  private static func beginLine(in output: inout [UInt8], indentation: Int) {
    output.append(UInt8(ascii: "\n"))
    output += Array(repeating: UInt8(ascii: " "), count: indentation)
  }

  /// Writes a string: what has to be escaped (RFC 8259 §7) is, and nothing else.
  private static func write(_ string: String, into output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        output.append(UInt8(ascii: "\\"))
        output.append(byte)
      case UInt8(ascii: "\n"): output += Array("\\n".utf8)
      case UInt8(ascii: "\r"): output += Array("\\r".utf8)
      case UInt8(ascii: "\t"): output += Array("\\t".utf8)
      case 0..<0x20:
        output += Array("\\u00".utf8)
        output.append(hexDigits[Int(byte >> 4)])
        output.append(hexDigits[Int(byte & 0x0F)])
      default: output.append(byte)
      }
    }
    output.append(UInt8(ascii: "\""))
  }

  private static let hexDigits: [UInt8] = Array("0123456789abcdef".utf8)
}
