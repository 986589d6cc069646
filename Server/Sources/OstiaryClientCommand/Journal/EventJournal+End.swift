internal import OstiaryCore

extension EventJournal {
  /// The event that ended the last session of a profile. Every process that had the session tells of its end; the first
  /// cause is the one that counts, and a process that only saw another one's sign-out doesn't know it.
  func lastEnd(of profile: String) -> SessionEvent? {
    let ends = ((try? last(1000, of: profile)) ?? []).map(\.event).filter(\.isEnd)
    guard let last = ends.last, let lineage = last.version?.lineage else { return ends.last }
    return ends.first { $0.version?.lineage == lineage && $0.cause != .anotherProcess } ?? last
  }
}

extension SessionEvent {
  /// Whether there was no session afterwards. A process that knows the session writes it again where the store's copy is damaged.
  fileprivate var isEnd: Bool { kind == .signedOut || kind == .failed && cause == .storeCorrupt && version == nil }
}
