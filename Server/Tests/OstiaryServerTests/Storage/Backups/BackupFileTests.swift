import Crypto
import Foundation
import Testing

@testable import OstiaryServer

@Suite("The file of a back-up, which may have any bytes", .timeLimit(.minutes(5)))
struct BackupFileTests {
  /// What a file that is read ends with; nil if it was taken for a whole one.
  private static func refusal(_ backup: SmallBackup, _ data: Data) -> ServerError? {
    do {
      _ = try backup.read(data)
      return nil
    } catch {
      return error as? ServerError ?? ServerError(.storageFailed, "\(error)")
    }
  }

  @Test("OP-10: a file gives back every value, also those at the ends of their types")
  func whole() throws {
    let backup = try SmallBackup()
    #expect(try backup.read(backup.file) == backup.rows)
  }

  @Test("OP-10: a file that is cut off at any byte is refused, with what is wrong")
  func cut() throws {
    let backup = try SmallBackup()
    for length in 0..<backup.file.count {
      let error = try #require(Self.refusal(backup, backup.file.prefix(length)), "cut at \(length)")
      #expect(error.code == .backupRefused, "cut at \(length): \(error)")
      let isNamed = length < 16 ? error.message.contains("no back-up") : error.message.contains("cut off after")
      #expect(isNamed, "cut at \(length): \(error.message)")
    }
    let longer = try #require(Self.refusal(backup, backup.file + [0]))
    #expect(longer.code == .backupRefused && longer.message.contains("after its end"))
  }

  @Test("OP-10: 10,000 files with some other bytes are refused, and say where")
  func changed() throws {
    let backup = try SmallBackup()
    var random = SplitMix(state: 17)
    for round in 0..<10_000 {
      var data = backup.file
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        data[Int.random(in: 0..<data.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
      }
      guard data != backup.file else { continue }
      let error = Self.refusal(backup, data)
      guard error?.code != .backupRefused else { continue }
      Issue.record("round \(round): \(error.map { "\($0)" } ?? "taken for a whole one")")
    }
  }

  @Test("OP-10: a file whose digests were made anew never ends the program, and gives no other rows")
  func resealed() throws {
    let backup = try SmallBackup()
    #expect(backup.resealed(backup.file) == backup.file)
    var random = SplitMix(state: 18)
    for round in 0..<5_000 {
      var data = backup.file
      let range = try #require(backup.contents.randomElement(using: &random))
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        data[Int.random(in: range, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if let rows = try? backup.read(backup.resealed(data)) { #expect(rows == backup.rows, "round \(round)") }
    }
  }

  @Test("OP-10: lengths that the file does not have cost nothing: of a part, of a text, of a row")
  func lengths() throws {
    let backup = try SmallBackup()
    let first = try #require(backup.contents.first)
    for size: UInt32 in [.max, UInt32(BackupFormat.largestPart) + 1, UInt32(BackupFormat.largestPart)] {
      var data = backup.file
      withUnsafeBytes(of: size.bigEndian) { data.replaceSubrange((first.lowerBound - 4)..<first.lowerBound, with: $0) }
      #expect(Self.refusal(backup, data)?.code == .backupRefused)
    }
    let table = try #require(backup.tables.first { $0.name == "parents" })
    let huge: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0, 1, 3] + [UInt8](repeating: 255, count: 8)
    #expect(RowCoding.rows(of: huge, table) == nil)
    #expect(RowCoding.rows(of: Array(huge.prefix(9)), table) == nil)
    // Not UTF-8, and a value of another type than the column's.
    #expect(RowCoding.rows(of: [1, 0, 0, 0, 0, 0, 0, 0, 1, 3, 0, 0, 0, 0, 0, 0, 0, 1, 255], table) == nil)
    #expect(RowCoding.rows(of: [1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1], table) == nil)
  }

  @Test("OP-10: another format is named, and what reads it")
  func version() throws {
    let backup = try SmallBackup()
    var data = backup.file
    data[BackupFormat.mark.count + 3] = 2
    let error = try #require(Self.refusal(backup, data))
    #expect(error.code == .backupRefused && error.message.contains("format 2") && error.advice.contains("newer"))
  }

  @Test("OP-10: parts in another order, a table too few and one twice are refused, with digests that are right")
  func order() throws {
    let backup = try SmallBackup()
    let parts = backup.contents.map { backup.file[($0.lowerBound - 5)..<($0.upperBound + BackupFormat.digestSize)] }
    let start = backup.file.prefix(BackupFormat.mark.count + 4)
    let perTable = parts.count > 6 ? 3 : 0
    #expect(perTable == 3, "a header, two tables of three parts and a trailer")
    let orders: [[Int]] = [
      [0, 4, 5, 6, 1, 2, 3, 7], [0, 1, 2, 3, 7], [0, 1, 2, 3, 1, 2, 3, 4, 5, 6, 7], [0, 2, 3, 4, 5, 6, 7], [0, 7],
      [0, 1, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5, 6, 7], [0, 1, 2, 3, 4, 5, 6, 7, 7], [0, 1, 2, 4, 5, 6, 7],
    ]
    for order in orders {
      // Digests depend on what stands before.
      var data = Data(start)
      for index in order {
        data += parts[index].dropLast(BackupFormat.digestSize)
        data += SHA256.hash(data: data)
      }
      #expect(Self.refusal(backup, data)?.code == .backupRefused, "\(order)")
    }
  }
}
