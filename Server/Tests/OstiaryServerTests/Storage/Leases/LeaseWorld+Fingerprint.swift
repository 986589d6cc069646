@testable import OstiaryServer

extension LeaseWorld {
  /// How many stored properties the machines have. Each is in the fingerprint, or listed there as of no consequence.
  static let knownFields = (machine: 19, wait: 11)

  /// Two worlds with the same fingerprint go on in the same way. Moments count by how far they are from now, and those that have
  /// passed are equal; tickets by whether they are awaited. Of no consequence are: the terms, the numbers that the next tickets get,
  /// the actions, which have been taken, and pauses, which are shorter than a tick. No world has a silent writer.
  var fingerprint: Int {
    var hasher = Hasher()
    hasher.combine(database.timeline)
    hasher.combine(database.ends)
    combineRows(into: &hasher)
    hasher.combine(database.timelineSince.map { min(now - $0, 3) })
    hasher.combine(formerEnds)
    hasher.combine(begun)
    hasher.combine(returned & database.endsMask)
    hasher.combine(takeOffs)
    for call in calls {
      hasher.combine(call.event)
      hasher.combine(call.isReading)
      combine(call.wait, into: &hasher)
    }
    for node in nodes {
      combine(node.machine, into: &hasher)
      hasher.combine(node.cache)
      combine(node.question, of: node.machine, into: &hasher)
      combine(node.stray, of: node.machine, into: &hasher)
      hasher.combine(node.notices)
      hasher.combine(node.isRegistering)
      hasher.combine(node.hasStrayRegistration)
      hasher.combine(node.isStopped)
      hasher.combine(node.isLeaving)
      hasher.combine(node.read?.after)
      hasher.combine(node.read?.upTo)
      hasher.combine(node.read.map { isAwaited($0.ticket, by: node.machine) })
      hasher.combine(node.write?.number)
      hasher.combine(node.write?.origin)
      hasher.combine(node.apply?.events)
      hasher.combine(node.apply?.isDone)
      hasher.combine(node.apply.map { isAwaited($0.ticket, by: node.machine) })
      hasher.combine(node.fill?.event)
      hasher.combine(node.fill?.origin)
      hasher.combine(node.fill.map { $0.fill.identity })
      hasher.combine(node.fill.map { $0.fill.applied })
      hasher.combine(node.fill.map { $0.fill.emptied == node.machine.emptied })
    }
    return hasher.finalize()
  }

  /// Listings count by whether a question that is under way has found them.
  private func combineRows(into hasher: inout Hasher) {
    for (row, node) in zip(database.rows, nodes) {
      hasher.combine(row.isListed)
      hasher.combine(row.identity)
      hasher.combine(row.shown)
      hasher.combine(row.applied)
      for flight in [node.question, node.stray] {
        guard case .looked(let look) = flight?.stage else { continue }
        hasher.combine(look.listing == row.listing)
      }
    }
  }

  /// How far a moment is ahead; zero when it has passed.
  private func ahead(_ moment: ContinuousClock.Instant?) -> Duration? {
    moment.map { max(.zero, $0 - instant) }
  }

  private func combine(_ wait: EndWait, into hasher: inout Hasher) {
    hasher.combine(wait.number)
    hasher.combine(wait.identity)
    hasher.combine(ahead(wait.deadline))
    hasher.combine(ahead(wait.earliest))
    hasher.combine(wait.unshown)
    hasher.combine(wait.isReading)
    hasher.combine(ahead(wait.lookDue) == .zero)
  }

  private func combine(_ machine: LeaseMachine, into hasher: inout Hasher) {
    hasher.combine(machine.identity)
    hasher.combine(machine.applied)
    hasher.combine(machine.known)
    hasher.combine(machine.heard)
    switch machine.work {
    case .idle: hasher.combine(0)
    case .reading(_, let upTo): hasher.combine([1, upTo])
    case .applying(_, let upTo): hasher.combine([2, upTo])
    }
    hasher.combine(ahead(machine.lease?.until) ?? .zero)
    hasher.combine(ahead(machine.next?.until))
    hasher.combine(machine.next?.shown)
    hasher.combine(machine.isRegistering)
    hasher.combine(machine.isListening)
    hasher.combine(ahead(machine.questionDue))
    hasher.combine(machine.written)
    hasher.combine(machine.writing)
  }

  private func combine(_ flight: Flight?, of machine: LeaseMachine, into hasher: inout Hasher) {
    switch flight?.stage {
    case nil: hasher.combine(0)
    case .sent: hasher.combine(1)
    case .looked(let look):
      hasher.combine(2)
      hasher.combine(look.identity)
      hasher.combine(look.shown)
      hasher.combine(look.listing == nil)
    case .answered(let answer):
      hasher.combine(3)
      hasher.combine(answer)
    }
    hasher.combine(ahead(flight.map { $0.question.sent + machine.terms.lease }))
    hasher.combine(flight?.question.applied)
    hasher.combine(flight?.question.identity)
    hasher.combine(flight.map { $0.question.ticket == machine.question?.ticket })
  }

  private func isAwaited(_ ticket: UInt64, by machine: LeaseMachine) -> Bool {
    switch machine.work {
    case .idle: false
    case .reading(let awaited, _), .applying(let awaited, _): awaited == ticket
    }
  }
}
