import Dispatch
import Foundation
import FuzzTargets

/// The target that `OSTIARY_FUZZ_TARGET` names.
private let target: FuzzTarget = {
  let name = ProcessInfo.processInfo.environment["OSTIARY_FUZZ_TARGET"] ?? ""
  guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
    fatalError("OSTIARY_FUZZ_TARGET is one of: \(FuzzTarget.all.map(\.name).joined(separator: ", "))")
  }
  return target
}()

/// What libFuzzer calls with its bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    do {
      try await target.run(bytes)
    } catch let error as PropertyBroken {
      fatalError("broken: \(error.property)")
    } catch {
      fatalError("\(target.name) threw \(error)")
    }
    done.signal()
  }
  done.wait()
  return 0
}
