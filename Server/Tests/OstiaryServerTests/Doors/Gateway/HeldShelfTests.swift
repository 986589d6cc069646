import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Gateway door: the shelf of held requests")
struct HeldShelfTests {
  private static let now = Date(timeIntervalSince1970: 0)

  private static func shelf(_ capacity: Int = 1_000_000, address: Int = 1_000_000) -> HeldShelf {
    HeldShelf(capacity: capacity, addressCapacity: address)
  }

  @Test("Bug-C15: what a held request costs doesn't depend on how many are held")
  func work() {
    var shelf = Self.shelf(10_000 * 100, address: 10_000 * 100)
    let body = Data(count: 100)
    func fill(_ range: Range<Int>) {
      for number in range {
        let isKept = shelf.insert(body, id: "\(number)", address: [UInt8(number % 251)], end: Self.now + Double(number))
        #expect(isKept)
      }
    }
    fill(0..<10_000)
    #expect(shelf.count == 10_000)
    let before = shelf.steps
    // Each replaces one: two are looked at, however many stand there.
    fill(10_000..<20_000)
    #expect(shelf.count == 10_000)
    #expect(shelf.steps - before <= 20_000)
    let search = shelf.steps
    for number in 0..<10_000 { #expect(shelf.armed(for: Secret("s\(number)")).isEmpty) }
    #expect(shelf.steps == search)
    #expect(!shelf.hasArmed)
    shelf.removeExpired(at: Self.now + 15_000)
    #expect(shelf.count == 4_999)
    #expect(shelf["15000"] == nil && shelf["15001"] != nil)
  }

  @Test("Bug-C15: one client's requests push out its own, and nobody else's")
  func addresses() {
    var shelf = Self.shelf(10_000, address: 1000)
    func insert(_ id: String, _ address: UInt8) -> Bool {
      shelf.insert(Data(count: 300), id: id, address: [address], end: Self.now)
    }
    #expect(insert("victim", 1))
    for number in 0..<1000 { #expect(insert("\(number)", 2)) }
    #expect(shelf["victim"] != nil)
    #expect(shelf.count == 4)
    #expect(shelf["999"] != nil && shelf["997"] != nil && shelf["996"] == nil)
    let isKept = shelf.insert(Data(count: 1001), id: "large", address: [3], end: Self.now)
    #expect(!isKept)
    #expect(shelf.size == 1200)
  }

  @Test("Bug-C15: the totals and the index agree with what stands there, whatever is done", arguments: 0..<20)
  func model(seed: UInt64) {
    var generator = Steps(state: seed &+ 1)
    var shelf = Self.shelf(5000, address: 2000)
    var model: [(id: String, size: Int, address: UInt8, session: String?)] = []
    for step in 0..<2000 {
      switch generator.next() % 5 {
      case 0, 1:
        let (size, address) = (Int(generator.next() % 900), UInt8(generator.next() % 4))
        let isKept = shelf.insert(Data(count: size), id: "\(step)", address: [address], end: Self.now)
        #expect(isKept)
        func total(_ isMeant: (UInt8) -> Bool) -> Int {
          model.filter { isMeant($0.address) }.reduce(0) { $0 + $1.size }
        }
        while total({ $0 == address }) > 2000 - size, let index = model.firstIndex(where: { $0.address == address }) {
          model.remove(at: index)
        }
        while total({ _ in true }) > 5000 - size { model.removeFirst() }
        model.append(("\(step)", size, address, nil))
      case 2:
        guard let index = model.indices.randomElement(using: &generator) else { continue }
        model[index].session = "s\(generator.next() % 3)"
        shelf.arm(model[index].id, session: Secret(model[index].session ?? ""))
      case 3:
        guard let index = model.indices.randomElement(using: &generator) else { continue }
        let isRemoved = shelf.remove(model.remove(at: index).id)
        #expect(isRemoved)
      default:
        let isRemoved = shelf.remove("none")
        #expect(!isRemoved)
      }
      #expect(shelf.count == model.count)
      #expect(shelf.size == model.reduce(0) { $0 + $1.size })
      #expect(shelf.hasArmed == model.contains { $0.session != nil })
      for session in ["s0", "s1", "s2"] {
        #expect(shelf.armed(for: Secret(session)).map(\.id) == model.filter { $0.session == session }.map(\.id))
      }
    }
  }

  private struct Steps: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) ^ state >> 7
    }
  }
}
