import Dispatch
import Foundation
import OstiaryCore
import OstiarySealing
import OstiaryStores

/// Times stores beside what the disk and the raw ways of using it take.
struct StoreBenchmark {
  private static let size = 2_048
  /// How many runs make a sample of what takes a microsecond.
  private static let batch = 200

  private let folder: BenchmarkFolder
  private let operations: [StoreOperation]

  /// Times all operations in turn and prints the table.
  static func run(rounds: Int) async throws {
    let benchmark = try await StoreBenchmark()
    var samples: [[Double]] = benchmark.operations.map { _ in [] }
    var order = Array(benchmark.operations.indices)
    for round in 0..<rounds + 10 {
      // What one leaves for the disk to do befalls the next, so no store is always next to the same one.
      order.shuffle()
      let (bytes, previous) = benchmark.bytes(round)
      for index in order {
        let operation = benchmark.operations[index]
        let start = ContinuousClock.now
        for _ in 0..<operation.batch { try await operation.run(bytes, previous) }
        let parts = (ContinuousClock.now - start).components
        let microseconds = Double(parts.seconds) * 1e6 + Double(parts.attoseconds) * 1e-12
        if round >= 10 { samples[index].append(microseconds / Double(operation.batch)) }
      }
    }
    var table = Table()
    for (operation, times) in zip(benchmark.operations, samples) {
      table.add(operation.name, operation.title, times, operation.bar)
    }
    table.show("Wall time, 2 KiB that differ each time; \(rounds) interleaved rounds", unit: "µs")
    if benchmark.folder.isInMemory {
      print("The folder is in memory: nothing here waits for a disk. Set TMPDIR to a folder on one.")
    }
  }

  /// Does one operation so often and nothing else.
  static func run(only name: String, times: Int) async throws {
    let benchmark = try await StoreBenchmark()
    guard let operation = benchmark.operations.first(where: { $0.name == name }) else {
      let names = benchmark.operations.map(\.name).joined(separator: ", ")
      throw BenchmarkError(message: "There is no operation \(name), only \(names).")
    }
    for round in 0..<times {
      let (bytes, previous) = benchmark.bytes(round)
      try await operation.run(bytes, previous)
    }
  }

  /// What is written in a round, and in the one before. SQLite does nothing when the bytes are the same.
  private let bytes: @Sendable (_ round: Int) -> (now: Data, before: Data)

  private init() async throws {
    folder = try BenchmarkFolder()
    var generator = SystemRandomNumberGenerator()
    let blobs = (0..<2).map { _ in
      Data((0..<Self.size).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }
    bytes = { (blobs[$0 % 2], blobs[($0 + 1) % 2]) }
    let raw = RawFile(folder: folder.url.path)
    try raw.replace(with: blobs[1])
    operations =
      try Self.rawOperations(folder, raw) + (try await Self.saving(folder, holding: blobs[1]))
      + (try await Self.reading(folder, holding: blobs[1])) + Self.locking(folder, raw)
  }

  private static func rawOperations(_ folder: BenchmarkFolder, _ raw: RawFile) throws -> [StoreOperation] {
    let database = Locked(try SQLiteUpserts(folder.url.appending(path: "raw.db").path))
    let place = try raw.openPlace()
    let queue = DispatchQueue(label: "bench")
    return [
      // What it costs not to block the threads that run Swift's tasks while the disk is waited for.
      StoreOperation(name: "raw-hop", title: "raw: to a queue's thread and back") { _, _ in
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
      },
      StoreOperation(name: "raw-place", title: "raw: pwrite + fdatasync in place, one copy") { bytes, _ in
        try raw.overwrite(bytes, in: place)
      },
      StoreOperation(name: "raw-sqlite", title: "raw: SQLite WAL/FULL upsert, C interface") { bytes, _ in
        try database.withLock { try $0.save(bytes) }
      },
      StoreOperation(name: "raw-rename", title: "raw: write + fsync + rename") { bytes, _ in
        try raw.replace(with: bytes)
      },
      StoreOperation(name: "raw-rename-folder", title: "raw: write + fsync + rename + fsync of the folder") {
        bytes, _ in
        try raw.replace(with: bytes)
        try raw.synchronizeFolder()
      },
    ]
  }

  /// Saves as the session manager does, replacing what it knows to be there.
  private static func saving(_ folder: BenchmarkFolder, holding first: Data) async throws -> [StoreOperation] {
    let key = SessionKey("bench")
    let stores: [(String, any SessionStore, Bar)] = [
      ("FileStore", FileStore(folder: folder.url.appending(path: "files")), .times("raw-rename", atMost: 1.2)),
      ("EncryptedFileStore", encrypted(folder), .times("raw-sqlite", atMost: 1.5)),
      (
        "SQLiteStore", SQLiteStore(at: folder.url.appending(path: "sqlite/sessions.db")),
        .times("raw-sqlite", atMost: nil)
      ),
      ("EphemeralStore", EphemeralStore(), .none),
    ]
    var operations: [StoreOperation] = []
    for (name, store, bar) in stores {
      try await store.save(first, for: key, replacing: .nothing)
      operations.append(
        StoreOperation(name: "save-\(name)", title: "\(name).save", bar: bar) { bytes, previous in
          try await store.save(bytes, for: key, replacing: .exactly(previous))
        })
    }
    return operations
  }

  private static func encrypted(_ folder: BenchmarkFolder, _ name: String = "encrypted") -> EncryptedFileStore {
    EncryptedFileStore(
      in: folder.url.appending(path: name), key: .keyFile(folder.url.appending(path: "session.key")))
  }

  private static func reading(_ folder: BenchmarkFolder, holding data: Data) async throws -> [StoreOperation] {
    let key = SessionKey("bench")
    let raw = RawFile(folder: folder.url.path)
    let files = FileStore(folder: folder.url.appending(path: "read-files"))
    let sealed = encrypted(folder, "read-encrypted")
    let database = SQLiteStore(at: folder.url.appending(path: "read-sqlite/sessions.db"))
    let memory = EphemeralStore()
    for store in [files, sealed, database, memory] as [any SessionStore] {
      try await store.save(data, for: key, replacing: .nothing)
    }
    let session = try await Subjects.manager(
      Proof(tokens: ["access": Secret(Subjects.token)]), store: encrypted(folder, "read-session"))
    let name = session.key
    @Sendable func load(_ store: any SessionStore) async throws {
      guard case .present = await store.load(key) else { throw BenchmarkError(message: "Nothing is stored.") }
    }
    return [
      StoreOperation(name: "raw-read", title: "raw: open + read + close", batch: batch) { _, _ in
        keep(try raw.contents())
      },
      StoreOperation(
        name: "load-FileStore", title: "FileStore.load", batch: batch, bar: .times("raw-read", atMost: nil)
      ) { _, _ in try await load(files) },
      StoreOperation(
        name: "load-SQLiteStore", title: "SQLiteStore.load", batch: batch, bar: .times("raw-read", atMost: nil)
      ) { _, _ in try await load(database) },
      StoreOperation(name: "load-EphemeralStore", title: "EphemeralStore.load", batch: batch) { _, _ in
        try await load(memory)
      },
      StoreOperation(
        name: "cold-EncryptedFileStore", title: "EncryptedFileStore.load, first of a new store, key file",
        bar: .atMost(500)
      ) { _, _ in try await load(encrypted(folder, "read-encrypted")) },
      StoreOperation(
        name: "cold-SessionManager", title: "SessionManager.restore, new, EncryptedFileStore, key file",
        bar: .atMost(500)
      ) { _, _ in
        let manager = try await Subjects.manager(nil, store: encrypted(folder, "read-session"))
        guard manager.key == name, await manager.restore().isSignedIn else {
          throw BenchmarkError(message: "Nobody is signed in.")
        }
      },
    ]
  }

  private static func locking(_ folder: BenchmarkFolder, _ raw: RawFile) throws -> [StoreOperation] {
    let files = FileStore(folder: folder.url.appending(path: "locks"))
    let memory = EphemeralStore()
    let key = SessionKey("bench")
    let place = try raw.openPlace()
    return [
      StoreOperation(name: "raw-lock", title: "raw: flock + unlock of an open file", batch: batch) { _, _ in
        try raw.lockOnce(place)
      },
      StoreOperation(
        name: "lock-FileStore", title: "FileStore.withExclusiveAccess, uncontended", batch: batch, bar: .atMost(5)
      ) { _, _ in try await files.withExclusiveAccess(to: key, patience: .zero) {} },
      StoreOperation(
        name: "lock-EphemeralStore", title: "EphemeralStore.withExclusiveAccess, uncontended", batch: batch
      ) { _, _ in try await memory.withExclusiveAccess(to: key, patience: .zero) {} },
    ]
  }
}
