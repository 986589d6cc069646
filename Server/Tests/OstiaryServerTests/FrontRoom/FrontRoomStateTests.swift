import Testing

@testable import OstiaryServer

@Suite("Front room: the state")
struct FrontRoomStateTests {
  private typealias State = FrontRoomState

  /// What each input leads to, one after the other.
  private static func actions(_ needs: FrontRoomNeeds = FrontRoomNeeds(), _ inputs: State.Input...) -> [State.Action] {
    var state = State(needs)
    return inputs.map { state.step($0) }
  }

  @Test("A sign-in, a fresh one, a stronger one and a consent are asked for where they are missing, and only there")
  func arriving() {
    var (fresh, consent, silent, strong) = (
      FrontRoomNeeds(), FrontRoomNeeds(), FrontRoomNeeds(), FrontRoomNeeds()
    )
    fresh.isFresh = true
    consent.hasConsent = true
    silent.hasConsent = true
    silent.mayAsk = false
    strong.strength = .secondFactor
    #expect(Self.actions(FrontRoomNeeds(), .arrived(nil)) == [.showSignIn(.none)])
    #expect(Self.actions(FrontRoomNeeds(), .arrived(.password)) == [.goOn])
    #expect(Self.actions(fresh, .arrived(nil)) == [.showSignIn(.none)])
    #expect(Self.actions(fresh, .arrived(.password)) == [.showSignIn(.none)])
    #expect(Self.actions(consent, .arrived(nil)) == [.showSignIn(.none)])
    #expect(Self.actions(consent, .arrived(.password), .consentFound(true)) == [.findConsent, .goOn])
    #expect(Self.actions(consent, .arrived(.password), .consentFound(false)) == [.findConsent, .showConsent])
    #expect(Self.actions(silent, .arrived(nil)) == [.refuse(.mayNotAsk)])
    #expect(Self.actions(silent, .arrived(.password), .consentFound(true)) == [.findConsent, .goOn])
    #expect(
      Self.actions(silent, .arrived(.password), .consentFound(false)) == [.findConsent, .refuse(.mayNotAsk)])
    // There is no page yet that makes a sign-in that strong.
    #expect(Self.actions(strong, .arrived(nil)) == [.refuse(.outOfReach)])
    #expect(Self.actions(strong, .arrived(.password)) == [.refuse(.outOfReach)])
    #expect(Self.actions(strong, .arrived(.secondFactor)) == [.goOn])
  }

  @Test("The sign-in page's form leads to a session, to the page again, or to a refusal")
  func signingIn() {
    let sent = State.Input.signInReturned(isGenuine: true, isComplete: true)
    func end(_ inputs: State.Input...) -> State.Action? {
      var state = State()
      return inputs.map { state.step($0) }.last
    }
    #expect(end(.signInReturned(isGenuine: false, isComplete: true)) == .showSignIn(.expired))
    #expect(end(.signInReturned(isGenuine: false, isComplete: false)) == .showSignIn(.expired))
    #expect(end(.signInReturned(isGenuine: true, isComplete: false)) == .showSignIn(.refused))
    #expect(end(sent) == .checkPassword)
    #expect(end(sent, .passwordWrong) == .showSignIn(.refused))
    #expect(end(sent, .passwordNotChecked(.wait(.seconds(3)))) == .refuse(.wait(.seconds(3))))
    #expect(end(sent, .passwordNotChecked(.busy(.seconds(1)))) == .refuse(.busy(.seconds(1))))
    #expect(end(sent, .passwordRight(isAdmitted: false)) == .refuse(.notAdmitted))
    #expect(end(sent, .passwordRight(isAdmitted: true)) == .beginSession)
    #expect(end(sent, .passwordRight(isAdmitted: true), .sessionBegun(false)) == .showSignIn(.refused))
    #expect(end(sent, .passwordRight(isAdmitted: true), .sessionBegun(true)) == .comeAgain)
  }

  @Test("Consent counts where the form is genuine; a no is a no, and any other form restarts the request")
  func consenting() {
    #expect(Self.actions(FrontRoomNeeds(), .consentReturned(isGenuine: true, isAllowed: true)) == [.goOn])
    #expect(
      Self.actions(FrontRoomNeeds(), .consentReturned(isGenuine: true, isAllowed: false)) == [.refuse(.denied)])
    for isAllowed in [true, false] {
      let forged = State.Input.consentReturned(isGenuine: false, isAllowed: isAllowed)
      #expect(Self.actions(FrontRoomNeeds(), forged) == [.comeAgain])
    }
  }

  @Test("However inputs follow each other, a request is let through only by what allows it")
  func everyOrder() {
    let inputs: [State.Input] = [
      .arrived(nil), .arrived(.password), .arrived(.secondFactor), .consentFound(true), .consentFound(false),
      .signInReturned(isGenuine: true, isComplete: true), .signInReturned(isGenuine: false, isComplete: true),
      .passwordRight(isAdmitted: true), .passwordRight(isAdmitted: false), .passwordWrong,
      .passwordNotChecked(.wait(.seconds(1))), .sessionBegun(true), .sessionBegun(false),
      .consentReturned(isGenuine: true, isAllowed: true), .consentReturned(isGenuine: false, isAllowed: true),
    ]
    var count = 0
    for bits in 0..<16 {
      let needs = FrontRoomNeeds(
        strength: bits & 1 == 0 ? .password : .secondFactor, isFresh: bits & 2 != 0, hasConsent: bits & 4 != 0,
        mayAsk: bits & 8 == 0)
      func walk(_ state: State, _ path: [State.Input]) {
        guard path.count < 4 else { return }
        for input in inputs {
          var next = state
          let action = next.step(input)
          let whole = path + [input]
          count += 1
          switch action {
          case .goOn: #expect(Self.allows(whole, needs), "\(needs) \(whole)")
          case .beginSession: #expect(whole.suffix(2) == [inputs[5], inputs[7]], "\(whole)")
          case .showSignIn where input == .arrived(nil), .showConsent: #expect(needs.mayAsk, "\(needs) \(whole)")
          default: break
          }
          guard next.hasEnded else {
            walk(next, whole)
            continue
          }
          let late = next.step(.arrived(.secondFactor))
          #expect(late == .comeAgain)
        }
      }
      walk(State(needs), [])
    }
    #expect(count > 500)
  }

  /// Whether a request with these needs may go on after these inputs.
  private static func allows(_ inputs: [State.Input], _ needs: FrontRoomNeeds) -> Bool {
    if inputs == [.consentReturned(isGenuine: true, isAllowed: true)] { return true }
    guard case .arrived(let strength?) = inputs.first, strength >= needs.strength, !needs.isFresh else { return false }
    return needs.hasConsent ? inputs.dropFirst() == [.consentFound(true)] : inputs.count == 1
  }
}
