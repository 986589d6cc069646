package import OstiaryCore

/// Runs `work` and returns the error that it throws; nil where it throws none or one that is not Ostiary's.
package func failure<Result>(_ work: () async throws -> Result) async -> OstiaryError? {
  do {
    _ = try await work()
    return nil
  } catch {
    return error as? OstiaryError
  }
}
