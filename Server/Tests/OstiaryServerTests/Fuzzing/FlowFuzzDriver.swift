#if OSTIARY_FUZZ
  import Foundation

  /// The target that `OSTIARY_FUZZ_TARGET` names.
  private let target: FlowFuzzTarget = {
    let name = ProcessInfo.processInfo.environment["OSTIARY_FUZZ_TARGET"] ?? ""
    guard let target = FlowFuzzTarget.all.first(where: { $0.name == name }) else {
      fatalError(
        "OSTIARY_FUZZ_TARGET is one of: \(FlowFuzzTarget.all.map(\.name).joined(separator: ", "))")
    }
    return target
  }()

  /// What libFuzzer calls with its bytes.
  @_cdecl("LLVMFuzzerTestOneInput")
  public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
      try target.run(Array(UnsafeBufferPointer(start: start, count: count)))
    } catch {
      fatalError("\(target.name): \(error)")
    }
    return 0
  }
#endif
