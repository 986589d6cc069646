import Testing

@testable import OstiaryExperiences

@Suite("What is known of a document's ways", .timeLimit(.minutes(20)))
struct KnownTrapsTests {
  private static func experience(_ work: Experience.Action.Work) -> Experience {
    let screen = Experience.Screen(id: "s", actions: [.init(id: "a", work: work)])
    return Experience(id: "e", flows: [.init(id: "f", kind: .custom, screens: [screen])])
  }

  @Test("It is looked for once, and copies share it")
  func once() {
    let experience = Self.experience(.move(.goToScreen("s")))
    let copy = experience
    #expect(experience.trapped == [.init(flow: 0, screen: 0)])
    var looked = 0
    let known = copy.traps.places {
      looked += 1
      return []
    }
    #expect(looked == 0 && known == experience.trapped)
    #expect(experience == copy && experience == Self.experience(.move(.goToScreen("s"))))
    #expect(Set([experience, Self.experience(.move(.goToScreen("s")))]).count == 1)
  }

  @Test("A changed document is looked at again, and the copy that was not changed keeps what is known")
  func changed() {
    let experience = Self.experience(.move(.goToScreen("s")))
    #expect(experience.trapped.count == 1)
    var changed = experience
    changed.flows[0].screens[0].actions[0].work = .move(.dismiss)
    #expect(changed.trapped.isEmpty)
    #expect(experience.trapped.count == 1)
    changed.flows[0].screens[0].actions = []
    #expect(changed.trapped.count == 1)
  }
}
