/// Questions about single bytes of ASCII text. Protocol grammar is about bytes, not about Swift's characters.
package enum ASCII {
  @inlinable
  @inline(__always)
  package static func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- 65 < 26 ? byte | 0x20 : byte
  }

  @inlinable
  @inline(__always)
  package static func isDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 }

  @inlinable
  @inline(__always)
  package static func isAlpha(_ byte: UInt8) -> Bool { (byte | 0x20) &- 97 < 26 }

  /// Space and tab: `WSP` of RFC 5234 and `OWS` of RFC 9110.
  @inlinable
  @inline(__always)
  package static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// A control character other than the tab.
  @inlinable
  @inline(__always)
  package static func isControl(_ byte: UInt8) -> Bool { (byte < 0x20 && byte != 0x09) || byte == 0x7F }

  /// The value of a hexadecimal digit.
  @inlinable
  @inline(__always)
  package static func hexValue(_ byte: UInt8) -> UInt8? {
    if isDigit(byte) { return byte &- 48 }
    let letter = (byte | 0x20) &- 97
    return letter < 6 ? letter &+ 10 : nil
  }

  /// Whether `bytes` are `text`, ignoring the case of ASCII letters. `text` must be in lower case.
  @inlinable
  package static func matches(_ bytes: some Collection<UInt8>, _ text: StaticString) -> Bool {
    text.withUTF8Buffer { wanted in
      bytes.count == wanted.count && zip(bytes, wanted).allSatisfy { lowercased($0) == $1 }
    }
  }

  /// Whether `bytes` begin with `text`, ignoring the case of ASCII letters. `text` must be in lower case.
  @inlinable
  package static func begins(_ bytes: some Collection<UInt8>, with text: StaticString) -> Bool {
    text.withUTF8Buffer { wanted in
      bytes.count >= wanted.count && zip(bytes, wanted).allSatisfy { lowercased($0) == $1 }
    }
  }

  /// The text with ASCII letters in lower case; other characters stay as they are.
  @inlinable
  package static func lowercased(_ text: some Sequence<UInt8>) -> String {
    String(decoding: text.map { lowercased($0) }, as: UTF8.self)
  }

  /// The text with ASCII letters in lower case; other characters stay as they are.
  package static func lowercased(_ text: String.UTF8View) -> String {
    var bytes = [UInt8](text)
    for place in bytes.indices { bytes[place] = lowercased(bytes[place]) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The bytes without spaces and tabs at either end.
  @inlinable
  package static func trimmed<Bytes: BidirectionalCollection<UInt8>>(_ bytes: Bytes) -> Bytes.SubSequence {
    var start = bytes.startIndex
    var end = bytes.endIndex
    while start < end, isBlank(bytes[start]) { start = bytes.index(after: start) }
    while start < end, isBlank(bytes[bytes.index(before: end)]) { end = bytes.index(before: end) }
    return bytes[start..<end]
  }
}

extension String {
  /// Whether all bytes are as is wanted. The bytes of a text in one piece are looked at without the steps of its view.
  @inlinable
  package func hasOnlyBytes(where isWanted: (UInt8) -> Bool) -> Bool {
    utf8.withContiguousStorageIfAvailable { $0.allSatisfy(isWanted) } ?? utf8.allSatisfy(isWanted)
  }

  /// Whether both are the same bytes. `==` also holds for different bytes that look alike (Unicode equivalence), which
  /// is not what a protocol means.
  package func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    let isSame = utf8.withContiguousStorageIfAvailable { bytes in
      other.utf8.withContiguousStorageIfAvailable { other in
        for place in bytes.indices where bytes[place] != other[place] { return false }
        return true
      }
    }
    return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}
