#if PostgreSQL
  extension PostgreSQLSession {
    /// What a pipeline was sent, in order.
    private enum Step {
      case preparation(text: String, name: String)
      case statement(text: String)
    }

    /// As ``run(together:)``, of statements that are all prepared under names.
    @discardableResult
    public func pipeline(
      _ statements: [(text: String, values: [PostgreSQLValue])]
    ) throws(PostgreSQLFailure) -> [PostgreSQLRows] {
      try run(together: statements.map { PostgreSQLStatement($0.text, $0.values) })
    }

    /// Runs several statements in one round trip, also those that have to be prepared. Outside of a transaction they are one. Each of
    /// them may take as long as one statement may.
    /// - Returns: the answer to each.
    /// - Throws: the first failure, when the server is done; no statement after it has run. One that can't be sent as it is
    ///   (`refused`) is found before any of them leaves. With `lost` and `noAnswer` any of them may have been done, a COMMIT among
    ///   them as well.
    @discardableResult
    public func run(together statements: [PostgreSQLStatement]) throws(PostgreSQLFailure) -> [PostgreSQLRows] {
      var commands: [(command: PostgreSQLCommand, keepsPrepared: Bool)] = []
      for statement in statements {
        commands.append((try PostgreSQLCommand(statement.text, statement.values), statement.keepsPrepared))
      }
      guard !commands.isEmpty else { return [] }
      try begin()
      guard handle.enterPipeline(), let steps = send(commands), handle.endPipeline() else { throw lost() }
      try flush()
      let (rows, failure) = try receive(steps)
      guard case .end? = try next(after: failure), handle.exitPipeline() else { throw lost(failure) }
      if let failure { throw failure }
      // Callers take answers by their places.
      guard rows.count == statements.count else { throw lost() }
      return rows
    }

    /// - Returns: what was sent; `nil` when something couldn't be.
    private func send(_ commands: [(command: PostgreSQLCommand, keepsPrepared: Bool)]) -> [Step]? {
      var steps: [Step] = []
      var pending: [String: String] = [:]
      for (command, keepsPrepared) in commands {
        var name = keepsPrepared ? names[command.text] ?? pending[command.text] : nil
        if keepsPrepared, name == nil, let new = newName(beside: pending.count) {
          guard handle.prepare(command.text, as: new) else { return nil }
          steps.append(.preparation(text: command.text, name: new))
          pending[command.text] = new
          name = new
        }
        guard name.map({ handle.send(command, prepared: $0) }) ?? handle.send(command) else { return nil }
        steps.append(.statement(text: command.text))
      }
      return steps
    }

    private func receive(
      _ steps: [Step]
    ) throws(PostgreSQLFailure) -> (rows: [PostgreSQLRows], failure: PostgreSQLFailure?) {
      var all: [PostgreSQLRows] = []
      var failure: PostgreSQLFailure?
      for step in steps {
        while let answer = try next(after: failure) {
          switch (answer, step) {
          case (.rows, .preparation(let text, let name)): names[text] = name
          case (.rows(let rows), .statement): all.append(rows)
          case (.failure(let next), .preparation): failure = failure ?? next
          case (.failure(let next), .statement(let text)):
            if next.isAboutPrepared { names[text] = nil }
            failure = failure ?? next
          case (.copying, _): throw over(.copying)
          case (.end, _), (.skipped, _): break
          }
        }
        guard handle.isOpen else { throw lost(failure) }
      }
      return (all, failure)
    }
  }
#endif
