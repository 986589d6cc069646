import Foundation
import OstiaryCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Times stores beside what the disk alone takes.
enum StoreBenchmark {
  static func run() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "ostiary-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let blobs = (0..<2).map { Data(repeating: UInt8($0), count: 2_048) }
    let rounds = 60
    let key = SessionKey("bench")
    let file = try FileStore(folder: folder.appending(path: "store"))
    let encrypted = EncryptedFileStore(
      in: folder.appending(path: "encrypted"), key: .keyFile(folder.appending(path: "session.key")))
    let memory = EphemeralStore()

    let raw = folder.appending(path: "raw").path
    let descriptor = open(raw, O_RDWR | O_CREAT, 0o600)
    defer { close(descriptor) }
    var writes = (raw: [Double](), rename: [Double](), file: [Double](), encrypted: [Double](), memory: [Double]())
    var reads = (file: [Double](), encrypted: [Double](), memory: [Double]())
    var locks = [Double]()
    for round in 0..<rounds {
      let blob = blobs[round % 2]
      writes.raw.append(
        try await time {
          _ = blob.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
          fdatasync(descriptor)
        })
      writes.rename.append(try await time { try rawReplace(blob, in: folder.path) })
      writes.file.append(try await time { try await file.save(blob, for: key, replacing: .anything) })
      writes.encrypted.append(try await time { try await encrypted.save(blob, for: key, replacing: .anything) })
      writes.memory.append(try await time { try await memory.save(blob, for: key, replacing: .anything) })
      reads.file.append(try await time { _ = await file.load(key) })
      // A new store knows nothing yet, as after a start.
      let cold = EncryptedFileStore(
        in: encrypted.folder, key: .keyFile(folder.appending(path: "session.key")))
      reads.encrypted.append(try await time { _ = await cold.load(key) })
      locks.append(try await time { try await file.withExclusiveAccess(to: key, patience: .zero) {} })
      reads.memory.append(try await time { _ = await memory.load(key) })
    }
    row("2 KiB: pwrite + fdatasync in place (raw)", writes.raw)
    row("2 KiB: write + fsync + rename + fsync folder (raw)", writes.rename)
    row("2 KiB: FileStore.save", writes.file)
    row("2 KiB: EncryptedFileStore.save", writes.encrypted)
    row("2 KiB: EphemeralStore.save", writes.memory)
    row("2 KiB: FileStore.load", reads.file)
    row("2 KiB: EncryptedFileStore.load, cold", reads.encrypted)
    row("2 KiB: EphemeralStore.load", reads.memory)
    row("FileStore.withExclusiveAccess, uncontended", locks)
  }

  private static func rawReplace(_ blob: Data, in folder: String) throws {
    let temporary = folder + "/raw.tmp"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    _ = blob.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    fsync(descriptor)
    close(descriptor)
    rename(temporary, folder + "/raw.dat")
    let directory = open(folder, O_RDONLY)
    fsync(directory)
    close(directory)
  }

  private static func time(_ work: () async throws -> Void) async throws -> Double {
    let start = ContinuousClock.now
    try await work()
    let parts = (ContinuousClock.now - start).components
    return Double(parts.seconds) * 1e6 + Double(parts.attoseconds) * 1e-12
  }

  private static func row(_ title: String, _ samples: [Double]) {
    let sorted = samples.sorted()
    print(Table.row(title, Table.number(sorted[sorted.count / 2]) + " µs"))
  }
}
