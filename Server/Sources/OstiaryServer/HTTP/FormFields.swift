/// The names and values of a query or a form body, decoded, in their original order.
///
/// Decoding is the WHATWG URL standard's `application/x-www-form-urlencoded` parsing, made strict: a broken percent
/// sequence, text that is not UTF-8 and too many fields are errors.
package struct FormFields: Sendable {
  /// One name and its value.
  package struct Field: Sendable {
    /// The decoded name.
    package let name: String
    /// The decoded value.
    package let value: String
  }

  /// The most fields that are read from one query or body.
  static let limit = 200

  /// The fields, in order.
  package let all: [Field]

  /// No fields.
  static let none = FormFields(all: [])

  private init(all: [Field]) {
    self.all = all
  }

  /// Reads fields from their encoded form; nil if that is malformed or has too many.
  init?(encoded: some Collection<UInt8>, limit: Int = Self.limit) {
    var fields: [Field] = []
    for pair in encoded.split(separator: UInt8(ascii: "&")) {
      guard fields.count < limit else { return nil }
      let encoded = pair.prefix { $0 != UInt8(ascii: "=") }
      guard let name = Self.decode(encoded, plusIsSpace: true),
        let value = Self.decode(pair.dropFirst(encoded.count + 1), plusIsSpace: true)
      else { return nil }
      fields.append(Field(name: name, value: value))
    }
    self.init(all: fields)
  }

  /// The first value of `name`.
  package func first(_ name: String) -> String? {
    all.first { $0.name.hasSameBytes(as: name) }?.value
  }

  /// Decodes percent-encoding; nil if a sequence is broken or the result isn't UTF-8.
  static func decode(_ bytes: some Collection<UInt8>, plusIsSpace: Bool) -> String? {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var rest = bytes.makeIterator()
    while let byte = rest.next() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.next().flatMap(hexadecimal), let low = rest.next().flatMap(hexadecimal) else {
          return nil
        }
        decoded.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsSpace:
        decoded.append(UInt8(ascii: " "))
      default:
        decoded.append(byte)
      }
    }
    return String(validating: decoded, as: UTF8.self)
  }

  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }
}

extension FormFields: CustomStringConvertible, CustomReflectable {
  /// The number of fields; never their content, since passwords are among them.
  package var description: String { "\(all.count) fields" }
  package var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}
