/// The dialects that come with this library.
public enum ShippedDialects {
  /// All of them, in the order of their names.
  public static let all: [ShippedDialect] = (backends + frameworks + products).sorted { $0.name < $1.name }

  /// The one with a name, such as `simplejwt`.
  public static func named(_ name: String) -> ShippedDialect? { all.first { $0.name == name } }

  private static let backends: [ShippedDialect] = [.appwrite, .cognito, .firebase, .parse, .pocketbase, .supabase]

  private static let frameworks: [ShippedDialect] = [
    .djRestAuth, .djRestAuthJWT, .drfToken, .laravelSanctumCookie, .laravelSanctumToken, .railsDeviseJWT, .simpleJWT,
  ]

  private static let products: [ShippedDialect] = [
    .directus, .homeAssistant, .matrix, .nextcloud, .strapi, .strapiSessions, .wordPressApplicationPassword,
    .wordPressJWT,
  ]
}
