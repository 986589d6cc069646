/// An engine's way of saying things.
enum StorageDialect: Sendable, CaseIterable {
  case sqlite
  case postgreSQL
}
