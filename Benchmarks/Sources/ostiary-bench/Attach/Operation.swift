/// One thing that is measured in nanoseconds.
struct Operation {
  /// Its name on the command line.
  let name: String
  /// What it does, for the table.
  let title: String
  /// How many runs make one timed round.
  let batch: Int
  /// What it is held against.
  var bar = Bar.none
  /// Does it so many times.
  let run: (Int) throws -> Void
}

/// Keeps the optimiser from removing what is measured.
@inline(never)
func keep<Value>(_ value: borrowing Value) {}
