/// A feature's state in memory, such as a cache, that all services over one storage share.
protocol StorageCompanion: AnyObject, Sendable {
  /// The storage has been closed: all cached values are invalid.
  func forgetAll()
  /// What another server, or this one, has ended.
  func forget(_ things: EndedThings)
}

extension StorageCompanion {
  /// For state that has nothing of what can end.
  func forget(_ things: EndedThings) {}
}
