extension ServerPreset {
  /// Microsoft Entra ID: work, school and personal accounts.
  static let entra = {
    let place = TenantIssuer.place
    var preset = ServerPreset(
      "Microsoft Entra ID",
      for: .hosts(
        ["login.microsoftonline.com", "login.microsoftonline.us", "login.partner.microsoftonline.cn"].map { "." + $0 }),
      [
        Difference(
          "The metadata for several tenants (common, organizations) name \(place) in place of a tenant; a token's iss has its tid there.",
          "https://learn.microsoft.com/entra/identity-platform/access-tokens#validate-tokens"),
        Difference(
          "The metadata of a tenant that goes by a domain's name, or of personal accounts (consumers), name the tenant's identifier.",
          "https://learn.microsoft.com/entra/identity-platform/v2-protocols-oidc#find-your-apps-openid-configuration-document-uri"
        ),
        Difference(
          "A key of several tenants says whose tokens it is for (issuer).",
          "https://learn.microsoft.com/entra/identity-platform/access-tokens#validate-the-signing-key-issuer"),
        Difference(
          "sub is another one for each app; a user is oid and tid.",
          "https://learn.microsoft.com/entra/identity-platform/id-token-claims-reference#payload-claims"),
        Difference(
          "invalid_grant with the suberror message_only or additional_action is mended outside of a sign-in.",
          "https://learn.microsoft.com/entra/msal/dotnet/advanced/exceptions/msal-error-handling"),
        Difference(
          "An API demands more of a sign-in as claims in base64 (insufficient_claims), which the page takes as claims.",
          "https://learn.microsoft.com/entra/identity-platform/claims-challenge"),
        Difference(
          "Apps register http://localhost, and any port of it is theirs.",
          "https://learn.microsoft.com/entra/identity-platform/reply-url#localhost-exceptions"),
      ])
    let host = "https://login.microsoftonline.com"
    preset.issuersInDocuments = [
      IssuerAlias(asked: "\(host)/common/v2.0", named: "\(host)/\(place)/v2.0"),
      IssuerAlias(asked: "\(host)/organizations/v2.0", named: "\(host)/\(place)/v2.0"),
      // A domain's name, or consumers.
      IssuerAlias(asked: "\(host)/{}/v2.0", named: "\(host)/{}/v2.0"),
    ]
    preset.passingSuberrors = ["message_only", "additional_action"]
    preset.demandsClaims = true
    return preset
  }()
}
