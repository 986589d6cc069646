import Foundation

/// A query in the part of SOQL that the door knows: one object's own fields, conditions joined by AND, OR and NOT, an order,
/// a limit and an offset.
struct SOQLQuery: Sendable {
  /// The fields' names as they were asked for; nil for `COUNT()`.
  let fields: [String]?
  /// The object's name.
  let object: String
  let condition: SOQLCondition?
  let order: [Order]
  let limit: Int?
  let offset: Int

  /// What records are sorted by.
  struct Order: Sendable {
    let field: String
    let isDescending: Bool
    /// Whether records without a value come last.
    let putsNullsLast: Bool
  }

  /// The fields that anything in the query names.
  var namedFields: [String] {
    (fields ?? []) + (condition?.fields ?? []) + order.map(\.field)
  }
}

/// A value in a query.
enum SOQLValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case time(Date)

  var isNull: Bool { self == .null }
}
