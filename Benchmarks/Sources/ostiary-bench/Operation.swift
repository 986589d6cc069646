/// One thing that is measured.
struct Operation {
  /// Its name on the command line.
  let name: String
  /// What it does, for the table.
  let title: String
  /// How many runs make one timed round.
  let batch: Int
  /// Does it so many times.
  let run: (Int) throws -> Void
}

/// Keeps the optimiser from removing what is measured.
@inline(never)
func keep<Value>(_ value: borrowing Value) {}
