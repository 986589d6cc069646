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
      // Most of a node is not there most of the time.
      hasher.combine(node.read != nil)
      if let read = node.read {
        hasher.combine(read.after)
        hasher.combine(read.upTo)
        hasher.combine(isAwaited(read.ticket, by: node.machine))
      }
      hasher.combine(node.write != nil)
      if let write = node.write {
        hasher.combine(write.number)
        hasher.combine(write.origin)
      }
      hasher.combine(node.apply != nil)
      if let apply = node.apply {
        hasher.combine(apply.events)
        hasher.combine(apply.isDone)
        hasher.combine(isAwaited(apply.ticket, by: node.machine))
      }
      hasher.combine(node.fill != nil)
      if let fill = node.fill {
        hasher.combine(fill.event)
        hasher.combine(fill.origin)
        hasher.combine(fill.fill.identity)
        hasher.combine(fill.fill.applied)
        hasher.combine(fill.fill.emptied == node.machine.emptied)
      }
    }
    return hasher.finalize()
  }

  /// Listings count by whether a question that is under way has found them.
  private func combineRows(into hasher: inout Hasher) {
    for number in nodes.indices {
      let (row, node) = (database.rows[number], nodes[number])
      hasher.combine(row.isListed)
      hasher.combine(row.identity)
      hasher.combine(row.shown)
      hasher.combine(row.applied)
      if case .looked(let look) = node.question?.stage { hasher.combine(look.listing == row.listing) }
      if case .looked(let look) = node.stray?.stage { hasher.combine(look.listing == row.listing) }
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
    guard let flight else { return hasher.combine(0) }
    switch flight.stage {
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
    hasher.combine(ahead(flight.question.sent + machine.terms.lease))
    hasher.combine(flight.question.applied)
    hasher.combine(flight.question.identity)
    hasher.combine(flight.question.ticket == machine.question?.ticket)
  }

  private func isAwaited(_ ticket: UInt64, by machine: LeaseMachine) -> Bool {
    switch machine.work {
    case .idle: false
    case .reading(let awaited, _), .applying(let awaited, _): awaited == ticket
    }
  }
}
