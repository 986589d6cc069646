/// The condition of a query.
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

  /// The fields that it reads.
  var fields: [String] {
    switch self {
    case .comparison(let field, _, _), .like(let field, _), .isIn(let field, _): [field]
    case .not(let condition): condition.fields
    case .all(let conditions), .any(let conditions): conditions.flatMap(\.fields)
    }
  }

  /// The numbers of comparisons, of values in lists, and of bytes in patterns.
  var size: (comparisons: Int, values: Int, patternBytes: Int) {
    switch self {
    case .comparison: (1, 0, 0)
    case .like(_, let pattern): (1, 0, pattern.utf8.count)
    case .isIn(_, let values): (1, values.count, 0)
    case .not(let condition): condition.size
    case .all(let conditions), .any(let conditions):
      conditions.map(\.size).reduce((0, 0, 0)) { ($0.0 + $1.comparisons, $0.1 + $1.values, $0.2 + $1.patternBytes) }
    }
  }
}
