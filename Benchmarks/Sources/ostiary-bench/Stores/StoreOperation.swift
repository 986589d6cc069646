import Foundation

/// One thing that is measured in microseconds.
struct StoreOperation: Sendable {
  /// Its name on the command line, and for those that are held against it.
  let name: String
  /// What it does, for the table.
  let title: String
  /// How many runs make one sample. What waits for the disk is one.
  var batch = 1
  /// What it is held against.
  var bar = Bar.none
  /// Does it once, writing the given bytes if it writes.
  let run: @Sendable (_ bytes: Data, _ previous: Data) async throws -> Void
}
