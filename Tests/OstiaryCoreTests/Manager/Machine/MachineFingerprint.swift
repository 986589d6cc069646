import Foundation

@testable import OstiaryCore

extension MachineWorld {
  /// How many fields the machine has. Each of them is in the fingerprint, or listed there as of no consequence.
  static let knownFields = 37

  /// A fingerprint in which tickets, callers and jobs count only by what they match: two worlds with the same one go on in
  /// the same way. What is of no consequence: settings and the moment, which do not change in a search; the numbers that the
  /// next ticket, caller, job and claim get; how often a user has signed out, which is for requests; why the server last refused a proof, which is only told; the stamp, which no store here has; the actions, which have been taken.
  var fingerprint: Int {
    var hasher = Hasher()
    hasher.combine(machine.session)
    hasher.combine(machine.writing)
    hasher.combine(machine.pause)
    hasher.combine(machine.endedLineages)
    hasher.combine(machine.signOut)
    hasher.combine(machine.refusedDigests)
    hasher.combine(machine.alternatives)
    hasher.combine(machine.superseded)
    hasher.combine(machine.usedTokens)
    hasher.combine(machine.stored)
    hasher.combine(lastKnown)
    hasher.combine(lastIsOut)
    hasher.combine(machine.failures)
    hasher.combine(machine.freshRejections)
    hasher.combine(machine.givenHere)
    hasher.combine(machine.unclearRefusals)
    hasher.combine(machine.failedSignIns.count)
    hasher.combine(machine.failedSignIns.last?.code)
    hasher.combine(machine.hasCredential)
    hasher.combine(machine.hasGrant)
    hasher.combine(machine.seenClaim)
    hasher.combine(machine.damagedSince)
    switch machine.access {
    case .none: hasher.combine(0)
    case .held: hasher.combine(1)
    case .claiming: hasher.combine(2)
    }
    if var ending = machine.ending {
      hasher.combine(ending.callers.count)
      ending.callers = []
      hasher.combine(ending)
    }
    for waiter in machine.waiters {
      hasher.combine(waiter.need)
      hasher.combine(waiter.isOwner)
    }
    for waiter in machine.writeWaiters { hasher.combine(waiter.version) }
    hasher.combine(machine.flushWaiters.count)
    if case .running(let job, let stage) = machine.work { combine(job, stage, &hasher) }
    if let operation = machine.operation { combine(operation.kind, &hasher) }
    for pending in pending { combine(pending, &hasher) }
    hasher.combine(timers)
    hasher.combine(waiting.count)
    hasher.combine(signingOut.count)
    hasher.combine(isHolding)
    hasher.combine(hasRefused)
    hasher.combine(refusedProofs)
    hasher.combine(hasSignedOut)
    hasher.combine(hasEndedElsewhere)
    return hasher.finalize()
  }

  private func combine(_ job: Job, _ stage: Stage<TestProof>, _ hasher: inout Hasher) {
    hasher.combine(stage)
    hasher.combine(job.need)
    hasher.combine(job.task)
    hasher.combine(job.user)
    hasher.combine(job.reason?.code)
    hasher.combine(job.refusal?.code)
    hasher.combine(job.failures)
    hasher.combine(job.storeFailures)
    hasher.combine(job.waitingSince == nil)
    hasher.combine(job.looks)
    hasher.combine(job.refusals)
    hasher.combine(job.isAnswered)
    hasher.combine(job.keepsSession)
    hasher.combine(machine.waiters.contains { $0.caller == job.owner })
  }

  private func combine(_ kind: Machine.Operation.Kind, _ hasher: inout Hasher) {
    let current = machine.work.job?.id
    switch kind {
    case .workRead(let job):
      hasher.combine(0)
      hasher.combine(job == current)
    case .writingRead: hasher.combine(1)
    case .endingRead: hasher.combine(2)
    case .landing(let known, let job):
      hasher.combine(3)
      hasher.combine(known)
      hasher.combine(job == current)
    case .mark(let known, let job):
      hasher.combine(4)
      hasher.combine(known)
      hasher.combine(job == current)
    case .debt(let known):
      hasher.combine(5)
      hasher.combine(known)
    case .ended(let entry):
      hasher.combine(6)
      hasher.combine(entry)
    }
  }

  private func combine(_ pending: Pending, _ hasher: inout Hasher) {
    func combine(_ kind: Int, _ ticket: Ticket) {
      hasher.combine(kind)
      hasher.combine(machine.workTicket == ticket)
      hasher.combine(machine.operation?.ticket == ticket)
      hasher.combine(machine.access == .claiming(ticket))
    }
    switch pending {
    case .claim(let ticket): combine(0, ticket)
    case .read(let ticket): combine(1, ticket)
    case .save(let ticket, let known):
      combine(2, ticket)
      hasher.combine(known)
    case .end(let ticket): combine(3, ticket)
    case .ask(let ticket): combine(4, ticket)
    case .exchange(let ticket): combine(5, ticket)
    case .identify(let ticket): combine(6, ticket)
    case .renew(let ticket, let known):
      combine(7, ticket)
      hasher.combine(known)
    case .verify(let ticket, let known):
      combine(8, ticket)
      hasher.combine(known)
    case .prepare(let ticket, let over, let isRenewal):
      combine(9, ticket)
      hasher.combine(over)
      hasher.combine(isRenewal)
    }
  }
}
