import Foundation
import Testing

@testable import OstiaryCore

@Suite("The question for a stronger sign-in, as a value") struct StepUpMachineTests {
  private let weak = UUID()
  private let strong = UUID()
  private let no = OstiaryError(.strongerSignInNeeded, "No.")

  private func demand(
    _ machine: inout StepUpMachine, _ caller: UInt64, shown: UUID? = nil, current: UUID? = nil, failures: UInt64 = 0
  ) -> [StepUpMachine.Action] {
    machine.step(
      .demanded(caller: caller, shown: shown ?? weak, current: current ?? weak, failures: failures))
  }

  @Test("StepUp-1: one question for all who wait")
  func one() {
    var machine = StepUpMachine()
    #expect(demand(&machine, 1) == [.ask(number: 1, lineage: weak)])
    #expect(demand(&machine, 2) == [])
    #expect(demand(&machine, 3) == [])
    #expect(machine.step(.left(caller: 2)) == [])
    #expect(machine.step(.answered(number: 1)) == [.wake([1, 3], .success(true))])
    #expect(machine.question == nil && machine.failures == 0)
  }

  @Test("StepUp-1: when all have left, the question goes on, and a later request waits for it")
  func left() {
    var machine = StepUpMachine()
    _ = demand(&machine, 1)
    #expect(machine.step(.left(caller: 1)) == [])
    #expect(demand(&machine, 2) == [])
    #expect(machine.step(.answered(number: 1)) == [.wake([2], .success(true))])
  }

  @Test("StepUp-2: a request that was sent before a question failed has had its question; a later one asks anew")
  func failed() {
    var machine = StepUpMachine()
    _ = demand(&machine, 1)
    #expect(machine.step(.failed(number: 1, no)) == [.wake([1], .failure(no))])
    #expect(demand(&machine, 2, failures: 0) == [.wake([2], .failure(no))])
    #expect(demand(&machine, 3, failures: 1) == [.ask(number: 2, lineage: weak)])
  }

  @Test("StepUp-3: a request of an earlier sign-in asks nothing: the server judges the newer one")
  func stronger() {
    var machine = StepUpMachine()
    #expect(demand(&machine, 1, current: strong) == [.wake([1], .success(true))])
    #expect(machine.question == nil)
  }

  @Test("StepUp-3: a question about a sign-in that is over is withdrawn when a request of the next one wants one")
  func another() {
    var machine = StepUpMachine()
    _ = demand(&machine, 1)
    #expect(
      demand(&machine, 2, shown: strong, current: strong) == [
        .withdraw(number: 1), .wake([1], .success(true)), .ask(number: 2, lineage: strong),
      ])
    #expect(machine.failures == 0)
    #expect(machine.step(.failed(number: 1, no)) == [] && machine.step(.answered(number: 1)) == [])
    #expect(machine.step(.answered(number: 2)) == [.wake([2], .success(true))])
  }

  @Test("StepUp-4: what is withdrawn wakes all who wait, and what comes of it is late")
  func withdrawn() {
    var machine = StepUpMachine()
    #expect(machine.step(.withdrawn(no)) == [])
    _ = demand(&machine, 1)
    #expect(machine.step(.withdrawn(no)) == [.withdraw(number: 1), .wake([1], .failure(no))])
    #expect(machine.step(.answered(number: 1)) == [] && machine.step(.failed(number: 1, no)) == [])
    #expect(demand(&machine, 2, failures: 1) == [.ask(number: 2, lineage: weak)])
    #expect(machine.step(.answered(number: 1)) == [], "of the question before")
    #expect(machine.question?.number == 2)
  }
}
