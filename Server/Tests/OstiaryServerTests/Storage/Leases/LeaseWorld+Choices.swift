@testable import OstiaryServer

extension LeaseWorld {
  /// Something that can happen.
  struct Choice {
    /// What it is called. Of most choices that is never asked.
    let label: () -> String
    /// Whether it is what follows where nothing is lost and nothing fails.
    let isUsual: Bool
    let change: (inout LeaseWorld) -> Void

    init(
      _ label: @autoclosure @escaping () -> String, isUsual: Bool = true,
      _ change: @escaping (inout LeaseWorld) -> Void
    ) {
      self.label = label
      self.isUsual = isUsual
      self.change = change
    }
  }

  /// All that can happen now. A node that is paused is one to which nothing happens while the clock goes on.
  var choices: [Choice] {
    var all = [Choice("tick", isUsual: false) { $0.now += 1 }]
    if begun < scenario.events, calls.count < scenario.calls {
      all.append(Choice("end \(begun) is committed", isUsual: false) { $0.end() })
    }
    for call in calls.indices { all += choices(of: call) }
    for number in nodes.indices { all += choices(of: nodes[number], number) }
    for (index, takeOff) in takeOffs.enumerated() {
      all.append(
        Choice("node \(takeOff.node) is taken off the list") { world in
          world.takeOffs.remove(at: index)
          world.database.takeOff(takeOff.node, unlessShown: takeOff.number, takeOff.origin)
        })
      if scenario.hasFailures {
        all.append(
          Choice("node \(takeOff.node) is not taken off the list", isUsual: false) { $0.takeOffs.remove(at: index) })
      }
    }
    if scenario.failsOver, database.timeline == 1 {
      for kept in 0...database.ends.count {
        for hasList in scenario.fault == nil ? [true, false] : [true] {
          all.append(
            Choice("a failover keeps \(kept) ends and \(hasList ? "the" : "no") list", isUsual: false) { world in
              world.failOver(keeping: kept, hasList: hasList)
            })
        }
      }
    }
    return all
  }

  private func choices(of call: Int) -> [Choice] {
    let (event, instant) = (calls[call].event, instant)
    var all: [Choice] = []
    if calls[call].isReading {
      all.append(
        Choice("call \(event) reads the list") { world in
          world.calls[call].isReading = false
          let (list, identity) = (world.database.list, world.database.identity)
          world.change(call: call) { $0.read(list, from: identity, began: instant, at: instant) }
        })
      if scenario.hasFailures {
        all.append(
          Choice("call \(event) can't read the list", isUsual: false) { world in
            world.calls[call].isReading = false
            world.change(call: call) { $0.readFailed(at: instant) }
          })
      }
    }
    if let due = calls[call].wait.due, due <= instant {
      all.append(Choice("call \(event) looks at its clock") { $0.change(call: call) { $0.tick(at: instant) } })
    }
    return all
  }

  private func choices(of node: Node, _ number: Int) -> [Choice] {
    let instant = instant
    var all = questions(of: node, number)
    if let notice = node.notices.first {
      all.append(
        Choice("node \(number) hears \(notice.end.number)") { world in
          world.nodes[number].notices.removeFirst()
          world.change(number) { $0.heard(notice.end, from: notice.origin, at: instant) }
        })
      if scenario.losesNotices {
        all.append(
          Choice("notice \(notice.end.number) is lost", isUsual: false) { $0.nodes[number].notices.removeFirst() })
      }
    }
    if let read = node.read {
      all.append(
        Choice("node \(number) reads ends") { world in
          world.nodes[number].read = nil
          let last = min(read.upTo, world.database.newest)
          let ends = read.after < last ? (read.after + 1...last).map { world.database.end($0) } : []
          let identity = world.database.identity
          let found = world.scenario.forgetsEnds ? Array(ends.dropFirst()) : ends
          world.change(number) { $0.read(found, from: identity, for: read.ticket) }
        })
      if scenario.hasFailures {
        all.append(
          Choice("node \(number) can't read ends", isUsual: false) { world in
            world.nodes[number].read = nil
            world.change(number) { $0.readFailed(for: read.ticket) }
          })
      }
    }
    if let write = node.write {
      for (isWritten, isKnown) in [(true, true), (true, false), (false, false)] {
        all.append(
          Choice("node \(number) writes applied \(write.number): \(isWritten), known: \(isKnown)", isUsual: isKnown) {
            world in
            world.nodes[number].write = nil
            if isWritten { world.database.writeApplied(write.number, write.origin, of: number) }
            world.change(number) { $0.wrote(isKnown) }
          })
      }
    }
    if node.isRegistering {
      for isListed in scenario.hasFailures || scenario.hasStrayQuestions ? [true, false] : [true] {
        all.append(
          Choice("node \(number) registers: \(isListed)", isUsual: isListed) { world in
            world.nodes[number].isRegistering = false
            if isListed { world.database.register(number) }
            if !isListed, world.scenario.hasStrayQuestions { world.nodes[number].hasStrayRegistration = true }
            world.change(number) { $0.registered(isListed, at: instant) }
          })
      }
    }
    if node.hasStrayRegistration {
      all.append(
        Choice("a stray registration is committed") { world in
          world.nodes[number].hasStrayRegistration = false
          world.database.register(number)
        })
    }
    if node.isLeaving {
      all.append(
        Choice("node \(number) leaves") { world in
          world.nodes[number].isLeaving = false
          world.database.leave(number)
        })
    } else if scenario.stops, !node.isStopped {
      all.append(Choice("node \(number) stops", isUsual: false) { $0.change(number) { $0.stops() } })
    }
    return all + reads(of: node, number)
  }

  private func questions(of node: Node, _ number: Int) -> [Choice] {
    let instant = instant
    var all: [Choice] = []
    if let due = node.machine.due, due <= instant {
      all.append(Choice("node \(number) looks at its clock") { $0.change(number) { $0.tick(at: instant) } })
    }
    if let flight = node.question {
      switch flight.stage {
      case .sent:
        all.append(Choice("node \(number)'s question looks") { $0.look(number) })
        if scenario.hasOldPrimary {
          for shown in 0...database.newest {
            let answer = LeaseAnswer(identity: database.identity, shown: shown, isListed: true, isCommitted: false)
            all.append(
              Choice("an old primary answers node \(number)", isUsual: false) {
                $0.nodes[number].question?.stage = .answered(answer)
              })
          }
        }
      case .looked: all.append(Choice("node \(number)'s question is committed") { $0.commit(number) })
      case .answered: all.append(Choice("the answer reaches node \(number)") { $0.answer(number) })
      }
      if scenario.hasFailures || scenario.hasStrayQuestions {
        all.append(
          Choice("node \(number) gives up its question", isUsual: false) { world in
            world.leave(question: number)
            world.change(number) { $0.failed(flight.question.ticket, at: instant) }
          })
      }
    }
    if let stray = node.stray, case .looked(let look) = stray.stage {
      all.append(
        Choice("a stray question is committed") { world in
          world.nodes[number].stray = nil
          _ = world.database.commit(look, stray.question, of: number)
        })
    }
    return all
  }

  /// What becomes of the cache. An entry comes into it while its subject has not ended; one that has ended never matters.
  private func reads(of node: Node, _ number: Int) -> [Choice] {
    var all: [Choice] = []
    if let apply = node.apply {
      if apply.isDone {
        all.append(
          Choice("node \(number) says that it has forgotten") { world in
            world.nodes[number].apply = nil
            world.change(number) { $0.hasApplied(apply.ticket) }
          })
      } else {
        all.append(
          Choice("the caches of node \(number) forget") { world in
            world.nodes[number].cache &= ~apply.events
            world.nodes[number].apply?.isDone = true
          })
      }
    }
    if let fill = node.fill {
      all.append(
        Choice("node \(number) has read \(fill.event)") { world in
          world.nodes[number].fill = nil
          guard world.nodes[number].machine.mayKeep(fill.fill, from: fill.origin) else { return }
          world.nodes[number].cache |= 1 << fill.event
        })
    }
    guard node.fill == nil, let begun = node.machine.beginFill() else { return all }
    for event in 0..<scenario.events where node.cache & 1 << event == 0 && !database.ends.contains(event) {
      all.append(
        Choice("node \(number) reads \(event)", isUsual: false) { world in
          if world.scenario.hasSlowReads {
            world.nodes[number].fill = Fill(event: event, fill: begun, origin: world.database.identity)
          } else if world.nodes[number].machine.mayKeep(begun, from: world.database.identity) {
            world.nodes[number].cache |= 1 << event
          }
        })
    }
    // A connection to the server before the failover tells of what had ended there.
    guard database.timeline > 1 else { return all }
    let origin = DatabaseIdentity(system: database.identity.system, timeline: database.timeline - 1)
    for event in 0..<scenario.events where (node.cache | formerEnds) & 1 << event == 0 {
      all.append(
        Choice("node \(number) reads \(event) from the old server", isUsual: false) { world in
          if world.scenario.hasSlowReads {
            world.nodes[number].fill = Fill(event: event, fill: begun, origin: origin)
          } else if world.nodes[number].machine.mayKeep(begun, from: origin) {
            world.nodes[number].cache |= 1 << event
          }
        })
    }
    return all
  }
}
