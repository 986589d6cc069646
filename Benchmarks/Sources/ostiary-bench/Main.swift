import Dispatch
import Foundation
import OstiaryCore

/// `ostiary-bench` prints the table of times; `ostiary-bench stores` that of the stores; `ostiary-bench gateway` that of
/// gateways; `ostiary-bench experiences` that of the runner of experiences; `ostiary-bench loop NAME COUNT` does one operation
/// so often and nothing else, for a program that counts instructions or allocations.
@main
enum Main {
  private static let usage = """
    usage: ostiary-bench [list | stores [ROUNDS] | store NAME COUNT | gateway | experiences | loop NAME COUNT]
    """

  /// Not `async`: the main thread has to be an ordinary one, or programs that count instructions lose it.
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      switch (arguments.first, arguments.count) {
      case (nil, _):
        let rounds = 30
        try prepare {
          try Operation.measure(
            $0, rounds: rounds, "CPU time an operation takes; \(rounds) interleaved rounds", unit: "ns")
        }
      case ("list", 1): try prepare { for operation in $0 { print(operation.name) } }
      case ("stores", 1...2):
        let rounds = arguments.count > 1 ? try number(arguments[1]) : 300
        try waiting { try await StoreBenchmark.run(rounds: rounds) }
      case ("gateway", 1): try GatewayBenchmark.run()
      case ("experiences", 1): try waiting { try await ExperienceBenchmark.run() }
      case ("store", 3):
        let count = try number(arguments[2])
        try waiting { try await StoreBenchmark.run(only: arguments[1], times: count) }
      case ("loop", 3):
        let count = try number(arguments[2])
        // Making a key for RSA takes a number of instructions that differs by millions, which hid those of the operation.
        try prepare(withSignatures: false) { operations in
          guard let operation = operations.first(where: { $0.name == arguments[1] }) else {
            throw BenchmarkError(message: "There is no operation \(arguments[1]).")
          }
          try operation.run(count)
        }
      default: throw BenchmarkError(message: usage)
      }
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }

  private static func number(_ text: String) throws -> Int {
    guard let number = Int(text), number > 0 else { throw BenchmarkError(message: "\(text) is no number of times.") }
    return number
  }

  private static func prepare(withSignatures: Bool = true, _ use: ([Operation]) throws -> Void) throws {
    let folder = try BenchmarkFolder()
    let subjects = Locked<Subjects?>(nil)
    try waiting {
      let made = try await Subjects(in: folder.url)
      subjects.withLock { $0 = made }
    }
    try use(try subjects.withLock { $0 }?.operations(withSignatures: withSignatures) ?? [])
  }

  /// Blocks this thread until `work` is done.
  private static func waiting(_ work: @escaping @Sendable () async throws -> Void) throws {
    let failure = Locked<(any Error)?>(nil)
    let done = DispatchSemaphore(value: 0)
    Task.detached {
      do { try await work() } catch { failure.withLock { $0 = error } }
      done.signal()
    }
    done.wait()
    if let error = failure.withLock({ $0 }) { throw error }
  }
}
