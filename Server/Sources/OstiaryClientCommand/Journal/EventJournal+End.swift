internal import OstiaryCore

extension EventJournal {
  /// The event that ended the last session of a profile. Every process that had the session tells of its end; the first
  /// cause is the one that counts, and a process that only saw another one's sign-out doesn't know it.
  func lastEnd(of profile: String) -> SessionEvent? {
    let ends = ((try? last(1000, of: profile)) ?? []).map(\.event).filter { $0.kind == .signedOut }
    guard let last = ends.last, let lineage = last.version?.lineage else { return ends.last }
    return ends.first { $0.version?.lineage == lineage && $0.cause != .anotherProcess } ?? last
  }
}
