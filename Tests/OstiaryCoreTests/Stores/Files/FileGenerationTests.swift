import Foundation
import OstiaryTesting
import TestSupport
import Testing

@testable import OstiaryCore
@testable import OstiarySealing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// Stamps that are certain however soon one change follows another.
@Suite(.timeLimit(.minutes(20))) struct FileGenerationTests {
  private let temporary: TemporaryFolder
  private let key = SessionKey("app@example.org")

  init() throws {
    temporary = try TemporaryFolder()
  }

  private func data(_ number: Int) -> Data { Data("\(number % 10)".utf8) }

  @Test("Bug-A14: the stamp of an own write is that which any handle takes, until something changes")
  func ownWrite() async throws {
    let (one, other) = (FileStore(folder: temporary.store), FileStore(folder: temporary.store))
    for number in 0..<20 {
      let stamp = try #require(try await one.saveStamped(data(number), for: key, replacing: .anything))
      for _ in 0..<3 {
        #expect(one.stamp(of: key) == stamp)
        #expect(other.stamp(of: key) == stamp)
      }
      #expect(await other.load(key) == .present(data(number)))
      #expect(one.stamp(of: key) == stamp)
      if number.isMultiple(of: 3) { try await other.remove(key, ifHolding: .anything) }
    }
    let sealed = EncryptedFileStore(in: temporary.url.appending(path: "sealed"), key: .given(.random()))
    _ = try await sealed.saveStamped(data(0), for: key, replacing: .nothing)
    let stamp = try #require(try await sealed.saveStamped(data(1), for: key, replacing: .exactly(data(0))))
    #expect(sealed.stamp(of: key) == stamp)
  }

  @Test(
    "Bug-A14: no two states have one stamp, though changes of one size follow within a tick of the file system's clock")
  func certain() async throws {
    // In memory, where waiting for the disk takes no time.
    let memory = URL(filePath: "/dev/shm/ostiary-test-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: memory) }
    let folder = FileManager.default.isWritableFile(atPath: "/dev/shm") ? memory : temporary.store
    let (one, other) = (FileStore(folder: folder), FileStore(folder: folder))
    var seen: Set<StoreStamp> = []
    for number in 0..<400 {
      let writer = number.isMultiple(of: 2) ? one : other
      switch number % 4 {
      case 0, 1: try await writer.save(data(number), for: key, replacing: .anything)
      case 2: try await writer.end(key, with: data(number), ifHolding: .anything)
      default: try await writer.remove(key, ifHolding: .anything)
      }
      let stamp = try #require(one.stamp(of: key))
      #expect(other.stamp(of: key) == stamp)
      #expect(seen.insert(stamp).inserted, "State \(number) has the stamp of an earlier one.")
    }
  }

  @Test("Bug-A14: a generation grows also where the file system's times are coarse or in the future")
  func grows() throws {
    try FileManager.default.createDirectory(at: temporary.store, withIntermediateDirectories: true)
    let folder = try #require(try PrivateFolder.open(temporary.store.path, creating: false))
    let (file, _) = try #require(try folder.file("file", O_RDWR | O_CREAT))
    let future = FileStamp.now + 3_600_000_000_000
    #expect(file.raiseGeneration(beyond: future))
    #expect(try file.generation() == future + 1)
    #expect(file.raiseGeneration(beyond: try file.generation()))
    #expect(try file.generation() == future + 2)
  }

  #if os(Linux)
    @Test(
      "Bug-A29: a folder whose file system is not mounted any more is unavailable, not empty", arguments: [true, false])
    func unmounted(isMountPoint: Bool) async throws {
      let place = temporary.file("place")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      guard let disk = try SmallDisk(at: temporary.file("disk"), size: "1m") else {
        try Test.cancel("A disk can't be mounted here.")
      }
      try #require(mount(disk.url.path, place.path, nil, UInt(MS_BIND), nil) == 0)
      let store = FileStore(folder: isMountPoint ? place : place.appending(path: "store"))
      try await store.save(data(1), for: key, replacing: .nothing)
      try #require(umount2(place.path, Int32(MNT_DETACH)) == 0)
      guard case .unavailable(let error) = await store.load(key) else {
        Issue.record("It is not unavailable.")
        return
      }
      #expect(error.code == .storeUnavailable && error.isTransient && error.message.contains("mounted"))
      let unavailable = OstiaryError(.storeUnavailable, "")
      await #expect(throws: unavailable) { try await store.save(data(2), for: key, replacing: .anything) }
      await #expect(throws: unavailable) { try await store.remove(key, ifHolding: .anything) }
      await #expect(throws: unavailable) { _ = try await store.accounts() }
      #expect(try names(in: place).isEmpty)
      try #require(mount(disk.url.path, place.path, nil, UInt(MS_BIND), nil) == 0)
      defer { umount2(place.path, Int32(MNT_DETACH)) }
      #expect(await store.load(key) == .present(data(1)))
    }

    @Test("A folder that was removed where it was is empty")
    func removedFolder() async throws {
      let store = FileStore(folder: temporary.store)
      try await store.save(data(1), for: key, replacing: .nothing)
      try FileManager.default.removeItem(at: temporary.store)
      #expect(await store.load(key) == .absent)
      try await store.save(data(2), for: key, replacing: .nothing)
      #expect(await store.load(key) == .present(data(2)))
    }
  #endif
}
