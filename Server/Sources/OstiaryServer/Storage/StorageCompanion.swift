/// What all services over one storage have in common and a feature keeps in memory, for example a cache.
protocol StorageCompanion: AnyObject, Sendable {
  /// The storage has been closed: nothing that was remembered is good any more.
  func forgetAll()
}
