internal import OstiaryCore

extension DialectShape {
  /// The JSON schema (2020-12) of the document.
  static var documentSchema: OrderedJSON {
    var members: [OrderedJSON.Member] = [
      .init("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
      .init("title", .string("A dialect of Ostiary, version \(Dialect.version)")),
      .init("description", .string("How one API signs users in. Unknown members are mistakes.")),
    ]
    members += document.schema.members ?? []
    let definitions = Definition.allCases.map { definition in
      OrderedJSON.Member(
        definition.rawValue, Self.commented(definition.shape.schema, definition.comment))
    }
    members.append(.init("$defs", .object(definitions)))
    return .object(members)
  }

  private var schema: OrderedJSON {
    switch self {
    case .null: Self.typed("null")
    case .flag: Self.typed("boolean")
    case .always: .object([.init("const", .bool(true))])
    case .version: .object([.init("const", .integer(Int64(Dialect.version)))])
    case .integer(let range):
      Self.typed(
        "integer", .init("minimum", .integer(Int64(range.lowerBound))),
        .init("maximum", .integer(Int64(range.upperBound))))
    case .text: Self.typed("string", .init("maxLength", .integer(Int64(Self.maximumText))))
    case .choice(let values): .object([.init("enum", .array(values.map { .string($0) }))])
    case .scalar:
      .object([.init("type", .array([.string("string"), .string("number"), .string("boolean"), .string("null")]))])
    case .json: .object([.init("type", .array([.string("object"), .string("array")]))])
    case .list(let element, let counts):
      Self.typed(
        "array", .init("items", element.schema), .init("minItems", .integer(Int64(counts.lowerBound))),
        .init("maxItems", .integer(Int64(counts.upperBound))))
    case .map(let value, let counts):
      Self.typed(
        "object", .init("additionalProperties", value.schema),
        .init("minProperties", .integer(Int64(counts.lowerBound))),
        .init("maxProperties", .integer(Int64(counts.upperBound))),
        .init(
          "propertyNames",
          .object([.init("minLength", .integer(1)), .init("maxLength", .integer(Int64(Self.maximumName)))])))
    case .object(let fields): Self.objectSchema(fields)
    case .variants(let variants): .object([.init("oneOf", .array(variants.map(Self.objectSchema)))])
    case .sorts(let member, let sorts):
      .object([
        .init(
          "oneOf",
          .array(
            sorts.map { sort in
              let sortMember = Member(member.name, .choice(sort.values), required: true, member.comment)
              return Self.objectSchema(Fields([sortMember] + sort.fields.members))
            }))
      ])
    case .either(let shapes): .object([.init("anyOf", .array(shapes.map(\.schema)))])
    case .definition(let definition): .object([.init("$ref", .string("#/$defs/\(definition.rawValue)"))])
    }
  }

  private static func objectSchema(_ fields: Fields) -> OrderedJSON {
    var members: [OrderedJSON.Member] = [
      .init("type", .string("object")),
      .init(
        "properties",
        .object(fields.members.map { .init($0.name, commented($0.shape.schema, $0.comment)) })),
    ]
    let required = fields.members.filter(\.isRequired).map { OrderedJSON.string($0.name) }
    if !required.isEmpty { members.append(.init("required", .array(required))) }
    members.append(.init("additionalProperties", .bool(false)))
    if !fields.oneOf.isEmpty {
      let choices = fields.oneOf.map { OrderedJSON.object([.init("required", .array([.string($0)]))]) }
      members.append(.init("oneOf", .array(choices)))
    }
    return .object(members)
  }

  private static func typed(_ name: String, _ members: OrderedJSON.Member...) -> OrderedJSON {
    .object([.init("type", .string(name))] + members)
  }

  private static func commented(_ schema: OrderedJSON, _ comment: String) -> OrderedJSON {
    guard !comment.isEmpty, let members = schema.members else { return schema }
    return .object([.init("description", .string(comment))] + members)
  }
}
