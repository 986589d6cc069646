extension AccountPagesModule {
  static var audit: [RouteAudit] {
    func both(_ kind: FlowKind, _ outcomes: [RouteAudit.Outcome]) -> RouteAudit {
      RouteAudit(["POST " + FlowPaths.page(kind), "POST " + FlowPaths.json(kind)], outcomes + .form)
    }
    let shown = FlowKind.allCases.flatMap { ["GET " + FlowPaths.page($0), "GET " + FlowPaths.json($0)] }
    return [
      RouteAudit(["GET " + FlowPaths.home, "GET " + FlowPaths.session, "GET " + FlowPaths.mailbox] + shown),
      RouteAudit(["POST " + FlowPaths.logout, "DELETE " + FlowPaths.session], .signOut + .form),
      both(.login, .password + .session),
      both(
        .signup,
        .code + [
          .init("the account is made", .accountMade, .requestedByApp),
          .init("the address has an account", .accountRefused, .alreadyTaken),
          .init("a session begins", .sessionBegun),
        ]),
      both(
        .recover,
        .code + [
          .init("the password is replaced", .passwordChanged, .requestedByApp),
          .init("every session ends", .sessionEnded, .passwordChanged),
        ]),
      both(
        .profile,
        [
          .init("the name is changed", .accountChanged, .requestedByApp),
          .init("the current password is right", .passwordAccepted),
          .init("it is wrong", .passwordRefused, .credentialRefused),
          .init("the password is replaced", .passwordChanged, .requestedByApp),
          .init("every session ends", .sessionEnded, .passwordChanged),
          .init("a session begins", .sessionBegun),
        ]),
    ]
  }
}
