import Foundation
import OstiaryAsyncHTTPClient
import OstiaryCore
import OstiaryNewzulu

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Uploads a file to a server that throws it away, as `NewzuluClient` does and as curl does, in turns, and prints how
/// fast each was and what memory the client took.
@main
enum Main {
  private static let rounds = 7
  private static let partSize = 8 << 20

  static func main() async {
    do {
      switch CommandLine.arguments.dropFirst().first {
      case "sink": try Sink.run()
      case nil: try await measure(mebibytes: 1024)
      case let size?:
        guard let size = Int(size), size > 0 else {
          throw BenchmarkError(message: "usage: ostiary-bench-upload [MEBIBYTES]")
        }
        try await measure(mebibytes: size)
      }
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }

  private static func measure(mebibytes: Int) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "ostiary-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let material = try Material(mebibytes: mebibytes, partSize: partSize, in: folder)
    let sink = try SinkProcess()
    defer { sink.end() }

    var rates: [String: [Double]] = [:]
    var memory: [Memory] = []
    for round in 0...rounds {
      for parallel in [2, 1] {
        for client in ["curl", "Ostiary"].shuffled() {
          let start = ContinuousClock.now
          if client == "curl" {
            try Curl.upload(material.parts, to: sink.port, parallel: parallel)
          } else {
            let used = try await upload(material.file, to: sink.port, parallel: parallel)
            if parallel == 2 { memory.append(used) }
          }
          let parts = (ContinuousClock.now - start).components
          let seconds = Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
          if round > 0 { rates["\(client) \(parallel)", default: []].append(Double(mebibytes) / seconds) }
        }
      }
    }
    show(rates, memory, mebibytes)
  }

  /// Uploads the file and notes the memory on the way.
  private static func upload(_ file: URL, to port: UInt16, parallel: Int) async throws -> Memory {
    guard let server = URL(string: "http://127.0.0.1:\(port)") else { throw BenchmarkError(message: "no port") }
    var configuration = NewzuluConfiguration()
    configuration.uploads.parallelParts = parallel
    configuration.uploads.partSize = Int64(partSize)
    let client = try NewzuluClient(
      server: server, apiKey: Secret("key"), vhost: "206", transport: AsyncHTTPClientTransport(),
      configuration: configuration)
    client.setCredentials(email: "ann@example.com", password: Secret("apple"))
    let middle = Locked<Int?>(nil)
    var memory = Memory(start: Memory.resident)
    _ = try await client.startUpload(NewzuluUpload(file: file, title: "bench")) { progress in
      guard progress.uploadedBytes * 2 >= progress.totalBytes else { return }
      middle.withLock { if $0 == nil { $0 = Memory.resident } }
    }
    memory.middle = middle.withLock { $0 } ?? 0
    memory.end = Memory.resident
    return memory
  }

  private static func show(_ rates: [String: [Double]], _ memory: [Memory], _ mebibytes: Int) {
    func text(_ samples: [Double]) -> String {
      let sorted = samples.sorted()
      return String(format: "%6.0f MiB/s (%.0f–%.0f)", sorted[sorted.count / 2], sorted[0], sorted[sorted.count - 1])
    }
    print("\(mebibytes) MiB in parts of \(partSize >> 20) MiB over loopback; medians of \(rounds) rounds in turns")
    for parallel in [2, 1] {
      guard let curl = rates["curl \(parallel)"]?.sorted(), let own = rates["Ostiary \(parallel)"]?.sorted() else {
        continue
      }
      let ratio = own[own.count / 2] / curl[curl.count / 2]
      print("\(parallel) at once: raw: curl       \(text(curl))")
      print("            NewzuluClient   \(text(own))")
      print(String(format: "            ratio %.2f (bar ≥ 0.80): %@", ratio, ratio >= 0.8 ? "met" : "MISSED"))
    }
    guard let first = memory.first, let last = memory.last else { return }
    print("resident memory, MiB, two parts at once: start, middle and end")
    print("            first upload    \(first.text)")
    print("            last upload     \(last.text)")
    print("            most ever       \(Memory.peak >> 20)")
  }
}

/// The memory of this process while it uploads, in bytes.
struct Memory {
  var start: Int
  var middle = 0
  var end = 0

  var text: String { "\(start >> 20)  \(middle >> 20)  \(end >> 20)" }

  static var resident: Int { status("VmRSS:") }
  static var peak: Int { status("VmHWM:") }

  private static func status(_ name: String) -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name) }),
      let number = line.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Int($0) })
    else { return 0 }
    return number << 10
  }
}
