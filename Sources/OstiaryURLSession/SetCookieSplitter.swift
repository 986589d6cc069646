/// Takes apart `Set-Cookie` fields that Foundation has joined with commas.
///
/// `Set-Cookie` is the one field that must not be joined, because a comma may be part of it: of the date in `Expires`, and,
/// against the grammar but in practice, of values. So a comma separates two cookies only where a name and an equals sign
/// follow it, and is part of a date where a weekday goes before it and the day of the month after it.
enum SetCookieSplitter {
  /// The fields, in their order, without the spaces around them.
  static func split(_ joined: String) -> [String] {
    let bytes = Array(joined.utf8)
    var fields: [String] = []
    var start = 0
    for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: ",") && startsCookie(bytes[(index + 1)...]) {
      append(bytes[start..<index], to: &fields)
      start = index + 1
    }
    append(bytes[start...], to: &fields)
    return fields
  }

  private static func append(_ bytes: ArraySlice<UInt8>, to fields: inout [String]) {
    let trimmed = bytes.drop(while: isBlank)
    guard let end = trimmed.lastIndex(where: { !isBlank($0) }) else { return }
    fields.append(String(decoding: trimmed[...end], as: UTF8.self))
  }

  /// Whether a cookie's name and its equals sign are next. The rest of a date (` 09 Jun 2032 10:18:14 GMT; Path=/`) has a
  /// space or a semicolon before any equals sign, and so has most of what else may follow a comma inside of a value.
  private static func startsCookie(_ bytes: ArraySlice<UInt8>) -> Bool {
    let name = bytes.drop(while: isBlank).prefix(while: isTokenByte)
    guard !name.isEmpty else { return false }
    return bytes[name.endIndex...].drop(while: isBlank).first == UInt8(ascii: "=")
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// A byte of a token (RFC 9110 §5.6.2), which cookie names are made of; also those that names have in practice.
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: "\""): false
    default: (0x21...0x7E).contains(byte) || byte >= 0x80
    }
  }
}
