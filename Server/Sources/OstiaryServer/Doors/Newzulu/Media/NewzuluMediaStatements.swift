/// The statement about one file, and the fragments of the queries for lists of files.
struct NewzuluMediaStatements: StatementSet {
  static let sql = NewzuluMediaStatements()

  let file = StorageStatement(
    "SELECT", NewzuluFileRecord.columns, NewzuluFileRecord.source, "WHERE newzulu_files.id = $1")

  let count = StorageFragment("SELECT count(*)", NewzuluFileRecord.source)
  let select = StorageFragment("SELECT", NewzuluFileRecord.columns, NewzuluFileRecord.source)

  let seenByAnybody = StorageFragment("WHERE is_moderated = 1 AND status NOT IN (0, 5)")
  let seenByUser = StorageFragment(
    """
    WHERE ((is_moderated = 1 AND status NOT IN (0, 5)) OR (newzulu_files.user_id = $1 AND status <> 0))
    """)
  let seenByEverything = StorageFragment("WHERE status <> 0")

  let withID = StorageFragment("AND newzulu_files.id = $1")
  let ofVhost = StorageFragment("AND vhost = $1")
  let inChannel = StorageFragment("AND channel = $1")
  let ofOwner = StorageFragment("AND number = $1")
  let withStatus = StorageFragment("AND status = $1")
  /// Without regard to the case of ASCII letters.
  let withTitle = StorageFragment(
    "AND (CAST($1 AS TEXT) = '' OR replace(lower(title), lower(CAST($1 AS TEXT)), '') <> lower(title))")

  let order = StorageFragment("ORDER BY")
  let byUpload = StorageFragment("newzulu_files.created_at")
  let byUploadDescending = StorageFragment("newzulu_files.created_at DESC")
  let byID = StorageFragment("newzulu_files.id")
  let byIDDescending = StorageFragment("newzulu_files.id DESC")
  let byTitle = StorageFragment("lower(title)")
  let byTitleDescending = StorageFragment("lower(title) DESC")
  let page = StorageFragment("LIMIT $1 OFFSET $2")
}
