#if PostgreSQL
  import Foundation

  /// Lends strings to C as an array that ends with a null pointer.
  enum CStrings {
    static func with<Result>(
      _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) throws -> Result
    ) rethrows -> Result {
      try CBuffers.with(strings.map { Data($0.utf8) + [0] }, body)
    }
  }

  /// Lends bytes to C as an array of pointers that ends with a null pointer.
  enum CBuffers {
    static func with<Result>(
      _ buffers: [Data], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) throws -> Result
    ) rethrows -> Result {
      // One block for all, with a byte more, so that an empty buffer has an address too: a null pointer would be NULL.
      let all = buffers.reduce(into: Data()) { $0.append($1) } + [0]
      return try all.withUnsafeBytes { block in
        let start = block.bindMemory(to: CChar.self).baseAddress
        var offset = 0
        var pointers: [UnsafePointer<CChar>?] = buffers.map { buffer in
          defer { offset += buffer.count }
          return start.map { $0 + offset }
        }
        pointers.append(nil)
        return try pointers.withUnsafeBufferPointer { try body($0.baseAddress) }
      }
    }
  }
#endif
