#if PostgreSQL
  import Foundation

  /// A statement with its parameters, as it can be sent.
  package struct PostgreSQLCommand {
    let text: String
    let values: CBuffers
    /// Only of binary values; the others end with a zero byte.
    let lengths: [CInt]
    /// 1 for binary.
    let formats: [CInt]

    /// - Throws: `refused` for what can't be sent: a NUL character, too many parameters.
    package init(_ text: String, _ values: [PostgreSQLValue]) throws(PostgreSQLFailure) {
      guard values.count <= Int(UInt16.max) else { throw .tooManyParameters }
      self.text = try Self.checked(text)
      var buffers = CBuffers()
      var lengths: [CInt] = []
      var formats: [CInt] = []
      lengths.reserveCapacity(values.count)
      formats.reserveCapacity(values.count)
      for value in values {
        var binary: Int?
        switch value {
        case .null: buffers.appendNull()
        case .integer(let number): buffers.append(number.description.utf8)
        case .real(let number): buffers.append(Self.written(number).utf8)
        case .text(let text): buffers.append(try Self.checked(text).utf8)
        case .bytes(let bytes):
          buffers.append(bytes)
          binary = bytes.count
        }
        lengths.append(CInt(clamping: binary ?? 0))
        formats.append(binary == nil ? 0 : 1)
      }
      self.values = buffers
      self.lengths = lengths
      self.formats = formats
    }

    /// A text as C can take it.
    static func checked(_ text: String) throws(PostgreSQLFailure) -> String {
      guard !text.utf8.contains(0) else { throw .zeroCharacter }
      return text
    }

    /// A number in PostgreSQL's words.
    private static func written(_ number: Double) -> String {
      if number.isNaN { return "NaN" }
      return number.isInfinite ? (number < 0 ? "-Infinity" : "Infinity") : number.description
    }
  }
#endif
