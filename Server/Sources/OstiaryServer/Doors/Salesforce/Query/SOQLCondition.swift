/// What a query asks of records.
indirect enum SOQLCondition: Sendable {
  enum Operator: String, Sendable {
    case equal = "="
    case unequal = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
  }

  case comparison(field: String, Operator, SOQLValue)
  case like(field: String, String)
  case isIn(field: String, [SOQLValue])
  case not(SOQLCondition)
  case all([SOQLCondition])
  case any([SOQLCondition])

  /// The fields that are looked at.
  var fields: [String] {
    switch self {
    case .comparison(let field, _, _), .like(let field, _), .isIn(let field, _): [field]
    case .not(let condition): condition.fields
    case .all(let conditions), .any(let conditions): conditions.flatMap(\.fields)
    }
  }

  /// Whether it is so.
  /// - Parameter value: Gives the record's value of a field.
  func holds(_ value: (String) -> SOQLValue) -> Bool {
    switch self {
    case .comparison(let field, let sign, let wanted): Self.compare(value(field), sign, wanted)
    case .like(let field, let pattern): value(field).isLike(pattern)
    case .isIn(let field, let wanted):
      wanted.contains { value(field).compared(to: $0) == .same }
    case .not(let condition): !condition.holds(value)
    case .all(let conditions): conditions.allSatisfy { $0.holds(value) }
    case .any(let conditions): conditions.contains { $0.holds(value) }
    }
  }

  /// Nothing is less or greater than null, and a value of another kind is unequal.
  private static func compare(_ value: SOQLValue, _ sign: Operator, _ wanted: SOQLValue) -> Bool {
    let comparison = value.compared(to: wanted)
    switch sign {
    case .equal: return comparison == .same
    case .unequal: return comparison != .same
    case .less: return comparison == .less
    case .greater: return comparison == .greater
    case .lessOrEqual: return !value.isNull && (comparison == .less || comparison == .same)
    case .greaterOrEqual: return !value.isNull && (comparison == .greater || comparison == .same)
    }
  }
}
