import OstiaryCore
import OstiarySystem
import Testing

@Suite("The user at the other end of a connection")
struct LoopbackPeerTests {
  private typealias Endpoint = LoopbackPeer.Endpoint

  /// An address as this machine reads its bytes.
  private static func word(_ bytes: UInt32) -> UInt32 { UInt32(bigEndian: bytes) }
  private static let local = word(0x7F00_0001)

  /// The same, as a table has it.
  private static func hex(_ word: UInt32) -> String {
    let digits = String(word, radix: 16, uppercase: true)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  @Test("LOOP-3: a connection is found by both its ends in the system's table, and by nothing less")
  func table() {
    let address = Self.hex(Self.local)
    let other = Self.hex(Self.word(0x7F00_0002))
    func line(_ number: Int, _ from: String, _ to: String, _ user: Int) -> String {
      "   \(number): \(from) \(to) 01 00000000:00000000 00:00000000 00000000  \(user)        0 1234\(number) 1 0 20 4 30 10 -1"
    }
    let table = [
      "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode",
      line(0, "\(address):1F90", "00000000:0000", 1), line(1, "\(address):1F90", "\(address):C350", 2),
      line(2, "\(other):C350", "\(address):1F90", 3), line(3, "\(address):C350", "\(other):1F90", 4),
      line(4, "\(address):C350", "\(address):1F91", 5), line(5, "\(address):C350", "\(address):1F90", 1000), "", "x y",
    ].joined(separator: "\n")
    let (here, there) = (Endpoint(words: [Self.local], port: 8080), Endpoint(words: [Self.local], port: 50_000))
    #expect(LoopbackPeer.user(in: table, from: there, to: here, isLong: false) == 1000)
    #expect(LoopbackPeer.user(in: table, from: there, to: here, isLong: true) == nil)
    let absent = Endpoint(words: [Self.local], port: 50_001)
    #expect(LoopbackPeer.user(in: table, from: absent, to: here, isLong: false) == nil)
    #expect(LoopbackPeer.user(in: "", from: there, to: here, isLong: false) == nil)
  }

  @Test("LOOP-3: one that came over IPv6, or by a socket for it, is in the table of that")
  func long() {
    let mapped = String(repeating: "0", count: 16) + Self.hex(Self.word(0xFFFF)) + Self.hex(Self.local)
    let six = [0, 0, 0, Self.word(1)]
    let own = six.map(Self.hex).joined()
    let rest = "01 0:0 0:0 0"
    let table = "0: \(mapped):C350 \(mapped):1F90 \(rest) 7 0\n1: \(own):C350 \(own):1F90 \(rest) 8 0\n"
    let (here, there) = (Endpoint(words: [Self.local], port: 8080), Endpoint(words: [Self.local], port: 50_000))
    #expect(LoopbackPeer.user(in: table, from: there, to: here, isLong: true) == 7)
    let (hereSix, thereSix) = (Endpoint(words: six, port: 8080), Endpoint(words: six, port: 50_000))
    #expect(LoopbackPeer.user(in: table, from: thereSix, to: hereSix, isLong: true) == 8)
  }

  @Test("LOOP-3: this process's own connection is no other user's, nor what is no connection")
  func own() throws {
    let listener = try LoopbackSocket.listen(host: "127.0.0.1", port: 0, backlog: 1)
    defer { LoopbackSocket.close(listener.descriptor) }
    let client = try LoopbackSocket.connect(port: UInt16(listener.port))
    defer { LoopbackSocket.close(client) }
    #expect(!LoopbackSocket.wait([(listener.descriptor, false)], milliseconds: 60_000).isEmpty)
    let connection = try #require(LoopbackSocket.accept(listener.descriptor))
    defer { LoopbackSocket.close(connection) }
    #expect(!LoopbackPeer.isOtherUser(connection))
    #expect(!LoopbackPeer.isOtherUser(client))
    #expect(!LoopbackPeer.isOtherUser(-1) && !LoopbackPeer.isOtherUser(listener.descriptor))
  }

  #if os(Linux)
    @Test("LOOP-3: a table of the system is read to its end, though its size is not known before")
    func whole() throws {
      // A program has many more mappings than 8 KiB of this tell.
      #expect(try #require(LoopbackPeer.table(at: "/proc/self/smaps")).utf8.count > 8192)
      #expect(LoopbackPeer.table(at: "/proc/none") == nil)
    }
  #endif
}
