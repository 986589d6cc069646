#if PostgreSQL
  /// Strings and bytes that are lent to C as an array of pointers, which ends with a null pointer.
  ///
  /// One block has them all, each with a zero byte after it, so that an empty one has an address too: a null pointer
  /// would be NULL.
  struct CBuffers {
    private var block: [UInt8] = []
    /// Where each begins; `nil` for a null pointer.
    private var starts: [Int?] = []

    init() {}

    init(_ strings: [String]) {
      for string in strings { append(string.utf8) }
    }

    var count: Int { starts.count }

    mutating func append(_ bytes: some Collection<UInt8>) {
      starts.append(block.count)
      block.append(contentsOf: bytes)
      block.append(0)
    }

    mutating func appendNull() {
      starts.append(nil)
    }

    /// Lends the pointers for as long as `body` runs.
    func withPointers<Result>(_ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result) -> Result {
      block.withUnsafeBytes { block in
        let first = block.bindMemory(to: CChar.self).baseAddress
        var pointers = starts.map { start in start.flatMap { start in first.map { $0 + start } } }
        pointers.append(nil)
        return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
      }
    }
  }
#endif
