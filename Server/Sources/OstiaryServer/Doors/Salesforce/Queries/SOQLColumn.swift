/// A field as a column of the database.
struct SOQLColumn: Sendable {
  enum Kind: Sendable, Equatable {
    /// A text, by its `SOQLKey`.
    case text
    /// A text that is an id.
    case reference
    /// The number in the record's id.
    case number(SalesforceRecordID.Prefix)
    /// 0 or 1.
    case flag
    /// Seconds since 1970.
    case time
  }

  let kind: Kind
  let expression: StorageFragment

  init(_ kind: Kind, _ expression: StorageFragment) {
    self.kind = kind
    self.expression = expression
  }

  /// The column of a field that conditions and orders may use; nil for long texts.
  static func of(_ field: SalesforceField, _ object: SalesforceObject) -> SOQLColumn? {
    switch object.prefix {
    case .user: SOQLStatements.users[field.name]
    case .organization: SOQLStatements.organization[field.name]
    default:
      field.name == "Id"
        ? SOQLColumn(.number(object.prefix), SOQLStatements.sql.number) : SOQLStatements.records[field.name]
    }
  }
}

extension SOQLStatements {
  /// The fields of cases and devices.
  static let records: [String: SOQLColumn] = {
    let sql = SOQLStatements.sql
    var columns: [String: SOQLColumn] = [
      "CaseNumber": SOQLColumn(.text, sql.caseNumber), "OwnerId": SOQLColumn(.reference, sql.owner),
      "CreatedById": SOQLColumn(.reference, sql.owner), "IsClosed": SOQLColumn(.flag, sql.isClosed),
      "ClosedDate": SOQLColumn(.time, sql.closedAt), "CreatedDate": SOQLColumn(.time, sql.createdAt),
      "LastModifiedDate": SOQLColumn(.time, sql.updatedAt), "SystemModstamp": SOQLColumn(.time, sql.updatedAt),
      "IsDeleted": SOQLColumn(.flag, sql.isDeleted),
    ]
    for (name, expression) in sql.texts {
      columns[name] = SOQLColumn(name.hasSuffix("Id") && name != "NetworkId" ? .reference : .text, expression)
    }
    return columns
  }()

  static let users: [String: SOQLColumn] = {
    let sql = SOQLStatements.sql
    return [
      "Id": SOQLColumn(.reference, sql.userID), "Username": SOQLColumn(.text, sql.username),
      "Name": SOQLColumn(.text, sql.userDisplayName), "Email": SOQLColumn(.text, sql.userEmail),
      "IsActive": SOQLColumn(.flag, sql.userIsActive), "CreatedDate": SOQLColumn(.time, sql.userCreatedAt),
      "LastModifiedDate": SOQLColumn(.time, sql.userUpdatedAt),
      "SystemModstamp": SOQLColumn(.time, sql.userUpdatedAt),
    ]
  }()

  static let organization: [String: SOQLColumn] = {
    let sql = SOQLStatements.sql
    return [
      "Id": SOQLColumn(.reference, sql.orgID), "Name": SOQLColumn(.text, sql.orgName),
      "IsSandbox": SOQLColumn(.flag, sql.orgIsSandbox), "OrganizationType": SOQLColumn(.text, sql.orgType),
    ]
  }()
}
