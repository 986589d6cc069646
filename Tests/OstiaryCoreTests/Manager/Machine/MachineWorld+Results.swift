import Foundation

@testable import OstiaryCore

// What the actions that are under way may lead to.
extension MachineWorld {
  private static var unavailable: OstiaryError { OstiaryError(.storeUnavailable, "Locked.") }
  private static var passing: OstiaryError { OstiaryError(.cannotConnect, "Down.", requestMayHaveExecuted: false) }
  static var refusal: OstiaryError { OstiaryError(.invalidCredentials, "No.") }

  func results(of action: Pending) -> [(String, (inout MachineWorld) -> Void)] {
    switch action {
    case .claim(let ticket):
      return [
        (
          "claimed",
          { world in
            world.isHolding = true
            world.step(.claimed(ticket))
          }
        ),
        ("claim failed", { $0.step(.claimFailed(ticket, Self.unavailable)) }),
      ]
    case .read(let ticket):
      return (0...Self.contents).map { read(ticket, $0) }
    case .save(let ticket, let known):
      return [
        ("written", { $0.step(.written(ticket, Self.data(known), nil)) }),
        ("write failed", { $0.step(.writeFailed(ticket, Self.unavailable)) }),
        ("conflict", { $0.step(.writeFailed(ticket, .storeConflict)) }),
      ]
    case .end(let ticket):
      return [
        ("ended", { $0.step(.written(ticket, Data("ended".utf8), nil)) }),
        ("end failed", { $0.step(.writeFailed(ticket, Self.unavailable)) }),
        ("end conflict", { $0.step(.writeFailed(ticket, .storeConflict)) }),
      ]
    case .ask(let ticket):
      return [
        ("given", { $0.step(.credentialGiven(ticket)) }),
        ("declined", { $0.step(.declined(ticket, OstiaryError(.interactionCancelled, "No."))) }),
      ]
    case .exchange(let ticket):
      return failures(ticket) + [
        ("exchanged", { $0.step(.exchanged(ticket, isIdentified: true)) }),
        ("exchanged, unknown user", { $0.step(.exchanged(ticket, isIdentified: false)) }),
      ]
    case .identify(let ticket):
      return failures(ticket) + [("identified", { $0.step(.exchanged(ticket, isIdentified: true)) })]
    case .renew(let ticket, let known):
      return failures(ticket, of: known) + [
        ("renewed", { $0.step(.renewed(ticket)) }), ("not renewable", { $0.step(.notRenewable(ticket)) }),
        (
          "unclear",
          { world in
            world.forgetReasons()
            world.step(.failed(ticket, Failure(error: OstiaryError(.unclearRefusal, "400."), mayRepeat: false)))
          }
        ),
      ]
    case .verify(let ticket, let known):
      return [
        ("valid", { $0.step(.verified(ticket, isValid: true, reason: "")) }),
        (
          "invalid",
          { world in
            world.noteRefused(known)
            world.step(.verified(ticket, isValid: false, reason: "over"))
          }
        ),
        ("can't be verified", { $0.step(.verificationFailed(ticket, Self.passing)) }),
      ]
    case .prepare(let ticket, let over, let isRenewal):
      return [
        (
          "prepared",
          { world in
            let number = world.freshNumber()
            let new =
              isRenewal && over != nil
              ? world.new(
                number, over?.lineage ?? Self.first, revision: (over?.version.revision ?? 0) + 1,
                user: over?.user.id ?? "ann")
              : world.new(number, Self.lineage(UInt8(truncatingIfNeeded: 100 + number)), revision: 0)
            world.step(.prepared(ticket, new))
          }
        )
      ]
    }
  }

  func failures(_ ticket: Ticket, of known: Known? = nil) -> [(String, (inout MachineWorld) -> Void)] {
    [
      ("fails for now", { $0.step(.failed(ticket, Failure(error: Self.passing))) }),
      (
        "is refused",
        { world in
          world.noteRefused(known)
          world.step(.failed(ticket, Failure(error: Self.refusal)))
        }
      ),
      (
        "lower layer",
        { world in
          world.forgetReasons()
          world.step(
            .failed(ticket, Failure(error: OstiaryError(.interactionCancelled, "No."), isLowerLayer: true)))
        }
      ),
    ]
  }

  /// How many things a reading may find; it may fail, too.
  static let contents = 10

  func read(_ ticket: Ticket, _ number: Int) -> Choice {
    guard let (label, content, isEnding) = content(number) else {
      return after("store unavailable") { $0.step(.storeUnavailable(ticket, Self.unavailable)) }
    }
    return after("read: \(label)") { world in
      if isEnding { world.hasEndedElsewhere = true }
      if case .ended(let entry) = content.entry { world.refusedProofs.formUnion(entry.refused) }
      world.step(.storeRead(ticket, content))
    }
  }

  /// What a reading may find, and whether it may end the session.
  private func content(_ number: Int) -> (String, StoreContent<TestProof>, Bool)? {
    let mine = machine.session.known ?? new(1, Self.first, revision: 0)
    func session(_ known: Known, _ others: [Known] = []) -> StoreContent<TestProof> {
      StoreContent(entry: .session(known, alternatives: others), data: Self.data(known))
    }
    func ended(_ cause: Cause, _ refused: Set<ProofDigest>) -> StoreContent<TestProof> {
      let entry = EndedEntry(
        lineage: mine.lineage, cause: cause, date: Date(timeIntervalSince1970: 0), refused: refused)
      return StoreContent(entry: .ended(entry), data: Data([255, UInt8(truncatingIfNeeded: number)]))
    }
    let next = mine.version.revision + 1
    switch number {
    case 0: return ("absent", StoreContent(entry: .absent), true)
    case 1: return ("damaged", StoreContent(entry: .damaged, data: Data([254])), false)
    case 2: return ("the own session", session(mine), false)
    case 3: return ("a newer one", session(new(50, mine.lineage, revision: next, user: mine.user.id)), false)
    case 4:
      return (
        "another of the same age", session(new(51, mine.lineage, revision: mine.version.revision, user: mine.user.id)),
        false
      )
    case 5: return ("both", session(mine, [new(52, mine.lineage, revision: next, user: mine.user.id)]), false)
    case 6: return ("a stranger's", session(new(60, Self.stranger, revision: 0, user: "ben")), true)
    case 7: return ("ended by the user", ended(.requestedByApp, []), true)
    case 8: return ("ended, refused", ended(.rejectedByServer, [mine.digest]), true)
    case 9: return ("ended, another refused", ended(.rejectedByServer, [ProofDigest(bytes: [99])]), true)
    default: return nil
    }
  }
}
