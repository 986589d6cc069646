/// `application/x-www-form-urlencoded`: what an HTML form sends, and many a query (URL standard §5).
public enum FormEncoding {
  /// The content type of a body in this encoding.
  public static let mediaType = "application/x-www-form-urlencoded"

  /// Writes pairs in their order. All but letters, digits and `*-._` is escaped, in names as in values (a name may
  /// well contain `=`); a space becomes `+`.
  public static func serialize(_ pairs: [(name: String, value: String)]) -> String {
    var text = ""
    for (index, pair) in pairs.enumerated() {
      if index > 0 { text += "&" }
      text += "\(encode(pair.name.utf8))=\(encode(pair.value.utf8))"
    }
    return text
  }

  /// Reads pairs in their order. Nothing is malformed here: a name without `=` has an empty value, a percent sign that
  /// escapes nothing stays, and bytes that are not UTF-8 become replacement characters.
  public static func parse(_ text: String) -> [(name: String, value: String)] {
    Array(text.utf8).split(separator: UInt8(ascii: "&")).map { pair in
      let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
      let value = equals < pair.endIndex ? pair[(equals + 1)...] : pair[equals...]
      return (decode(pair[..<equals]), decode(value))
    }
  }

  private static let keptMarks: [UInt8] = Array("*-._".utf8)

  /// One name or value of a pair.
  package static func encode(_ bytes: some Collection<UInt8>) -> String {
    PercentEncoding.encode(bytes, spaceAsPlus: true) { byte in
      ASCII.isAlpha(byte) || ASCII.isDigit(byte) || keptMarks.contains(byte)
    }
  }

  private static func decode(_ bytes: ArraySlice<UInt8>) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var position = bytes.startIndex
    while position < bytes.endIndex {
      let byte = bytes[position]
      if byte == UInt8(ascii: "%"), let escaped = PercentEncoding.escapedByte(bytes[position...]) {
        output.append(escaped)
        position += 3
      } else {
        output.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        position += 1
      }
    }
    return String(decoding: output, as: UTF8.self)
  }
}
