/// The fragments of which queries are composed.
struct SOQLStatements: StatementSet {
  static let sql = SOQLStatements()

  // MARK: Where to look

  let count = StorageFragment("SELECT count(*)")

  let selectRecords = StorageFragment("SELECT salesforce_filters.number, salesforce_filters.bytes")
  let fromRecords = StorageFragment(
    "FROM salesforce_filters WHERE salesforce_filters.org = $1 AND salesforce_filters.object = $2")
  let ofUser = StorageFragment("AND salesforce_filters.user_id = $1")

  let selectUsers = StorageFragment("SELECT", UserRow.columns)
  let fromUsers = StorageFragment(
    """
    FROM users JOIN salesforce_users ON salesforce_users.user_id = users.id WHERE users.tenant IS NOT DISTINCT FROM $1
    """)
  let thatUser = StorageFragment("AND users.id = $1")

  let selectOrganization = StorageFragment("SELECT org.id")
  let fromOrganization = StorageFragment(
    """
    FROM (SELECT CAST($1 AS TEXT) AS id, CAST($2 AS TEXT) AS name, CAST($3 AS BIGINT) AS is_sandbox,
      CAST($4 AS TEXT) AS type) AS org WHERE 1 = 1
    """)

  // MARK: Columns

  let number = StorageFragment("salesforce_filters.number")
  /// Eight digits at least.
  let caseNumber = StorageFragment(
    """
    (CASE WHEN salesforce_filters.number < 100000000
      THEN substr(CAST(100000000 + salesforce_filters.number AS TEXT), 2)
      ELSE CAST(salesforce_filters.number AS TEXT) END)
    """)
  let owner = StorageFragment("salesforce_filters.owner")
  let isClosed = StorageFragment("salesforce_filters.is_closed")
  let isDeleted = StorageFragment("(salesforce_filters.is_closed * 0)")
  let closedAt = StorageFragment(
    "(CASE WHEN salesforce_filters.is_closed = 1 THEN salesforce_filters.updated_at END)")
  let createdAt = StorageFragment("salesforce_filters.created_at")
  let updatedAt = StorageFragment("salesforce_filters.updated_at")
  /// The texts that a record's JSON also has.
  let texts: [String: StorageFragment] = [
    "Subject": StorageFragment("salesforce_filters.subject"), "Status": StorageFragment("salesforce_filters.status"),
    "Priority": StorageFragment("salesforce_filters.priority"), "Origin": StorageFragment("salesforce_filters.origin"),
    "Type": StorageFragment("salesforce_filters.type"), "Reason": StorageFragment("salesforce_filters.reason"),
    "SuppliedName": StorageFragment("salesforce_filters.supplied_name"),
    "SuppliedEmail": StorageFragment("salesforce_filters.supplied_email"),
    "SuppliedPhone": StorageFragment("salesforce_filters.supplied_phone"),
    "SuppliedCompany": StorageFragment("salesforce_filters.supplied_company"),
    "ContactId": StorageFragment("salesforce_filters.contact"),
    "AccountId": StorageFragment("salesforce_filters.account"),
    "ConnectionToken": StorageFragment("salesforce_filters.connection_token"),
    "ServiceType": StorageFragment("salesforce_filters.service_type"),
    "ApplicationBundle": StorageFragment("salesforce_filters.application_bundle"),
    "NetworkId": StorageFragment("salesforce_filters.network"),
    "CipherName": StorageFragment("salesforce_filters.cipher_name"),
  ]

  let userID = StorageFragment("salesforce_users.id")
  let username = StorageFragment("salesforce_users.username")
  let userDisplayName = StorageFragment("salesforce_users.name")
  let userEmail = StorageFragment("salesforce_users.email")
  let userIsActive = StorageFragment("(1 - users.disabled)")
  let userCreatedAt = StorageFragment("users.created_at")
  let userUpdatedAt = StorageFragment("users.updated_at")

  let orgID = StorageFragment("org.id")
  let orgName = StorageFragment("org.name")
  let orgIsSandbox = StorageFragment("org.is_sandbox")
  let orgType = StorageFragment("org.type")

  // MARK: Conditions

  let and = StorageFragment("AND")
  let or = StorageFragment("OR")
  let not = StorageFragment("NOT")
  let open = StorageFragment("(")
  let close = StorageFragment(")")
  let always = StorageFragment("1 = 1")
  let never = StorageFragment("1 = 0")
  let isNull = StorageFragment("IS NULL")
  let isNotNull = StorageFragment("IS NOT NULL")
  let equal = StorageFragment("= $1")
  let unequal = StorageFragment("<> $1")
  let less = StorageFragment("< $1")
  let lessOrEqual = StorageFragment("<= $1")
  let greater = StorageFragment("> $1")
  let greaterOrEqual = StorageFragment(">= $1")
  let isIn = StorageFragment("IN")
  let isLike = StorageFragment("LIKE $1 ESCAPE '\\'")

  // MARK: Order

  let order = StorageFragment("ORDER BY")
  let comma = StorageFragment(",")
  let ascending = StorageFragment("ASC NULLS FIRST")
  let ascendingNullsLast = StorageFragment("ASC NULLS LAST")
  let descending = StorageFragment("DESC NULLS FIRST")
  let descendingNullsLast = StorageFragment("DESC NULLS LAST")
  let page = StorageFragment("LIMIT $1 OFFSET $2")

  // MARK: Records that were found

  let selectFields = StorageFragment(
    "SELECT number, user_id, fields, created_at, updated_at FROM salesforce_records WHERE number IN")
}
