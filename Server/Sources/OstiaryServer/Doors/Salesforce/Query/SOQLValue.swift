import Foundation

/// A value in a query.
enum SOQLValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case time(Date)

  var isNull: Bool { self == .null }
}
