import OstiaryPega
import Testing

@Suite("Which SnapStart action is under way")
struct SnapStartTurnsTests {
  @Test("Bug-F40: a newer action ends the older, whose number then ends nothing, also when it is the same action")
  func newer() {
    var turns = SnapStartTurns<String>()
    #expect(turns.begin("case") == nil)
    let older = turns.newest
    #expect(turns.isUnderWay(older))
    #expect(turns.begin("case") == "case")
    #expect(!turns.isUnderWay(older))
    #expect(turns.end(older) == nil)
    #expect(turns.end(turns.newest) == "case")
    #expect(turns.end(turns.newest) == nil)
    #expect(turns.begin("other") == nil)
  }

  @Test("A number that was never given ends nothing")
  func unknown() {
    var turns = SnapStartTurns<String>()
    #expect(turns.end(0) == nil)
    #expect(turns.begin("case") == nil)
    #expect(turns.end(0) == nil && turns.end(2) == nil)
    #expect(turns.isUnderWay(1))
  }
}
