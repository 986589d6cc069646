extension NewzuluModule {
  static var audit: [RouteAudit] {
    [
      RouteAudit(
        ["POST /services/json"],
        .password + [
          .init("a session begins", .sessionBegun),
          .init("the key is unknown", .clientRefused, .unknown),
          .init("the key or the user may not", .permissionRefused),
          .init("an account is made", .accountMade),
          .init("its name or address is taken", .accountRefused, .alreadyTaken),
          .init("it is made for later", .accountDisabled, .administrator),
        ]),
      // The address itself lets in, for a time.
      RouteAudit(["PUT " + NewzuluPartAddresses.pattern]),
    ]
  }
}
