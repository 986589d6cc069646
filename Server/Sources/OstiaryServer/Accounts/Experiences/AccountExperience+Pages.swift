internal import OstiaryExperiences

/// What pages of this server have that a document for any server can't know.
extension AccountExperience {
  /// The text under a new password. No name in a document begins with a colon.
  private static let passwordHelp = ":new_password_help"

  /// The same with the smallest number of characters of a new password, where the document asks for no more.
  func demanding(charactersOfPasswords least: Int) -> AccountExperience {
    guard least > 1 else { return self }
    var experience = experience
    var flows = experience.flows
    for flow in flows.indices where flows[flow].kind == .signUp || flows[flow].kind == .recoverPassword {
      for screen in flows[flow].screens.indices {
        for field in flows[flow].screens[screen].fields.indices {
          flows[flow].screens[screen].fields[field].demand(least, help: .key(Self.passwordHelp))
        }
      }
    }
    experience.flows = flows
    // Not in other languages: the document would be shown in one that it is not in.
    for language in Set(experience.texts.keys).union([experience.language]) {
      guard let texts = Self.texts(in: language) else { continue }
      experience.texts[language, default: [:]][Self.passwordHelp] = .one(texts(.newPasswordHelp, number: least))
    }
    return AccountExperience(experience: experience)
  }

  /// The server's texts in a document's language; nil if there are none.
  private static func texts(in language: String) -> AccountTexts? {
    func name(_ tag: String) -> String { tag.prefix { $0 != "-" }.lowercased() }
    let own = AccountTexts.language(for: [language])
    return name(own) == name(language) ? AccountTexts(own) : nil
  }

  /// The actions of a screen that lead to another kind of flow with an address of its own: a link needs no form there, writes nothing
  /// and counts for no limit. Within a kind the form remains, because what was typed goes along.
  func pages(from screen: ScreenSnapshot, of kind: Experience.Flow.Kind) -> [String: FlowKind] {
    var pages: [String: FlowKind] = [:]
    for action in screen.actions {
      guard case .move(.goToFlow(let id)) = action.work, let flow = experience.flow(id), flow.kind != kind,
        let page = FlowKind(flow.kind), experience.startingFlow(for: page.experienceKind)?.id == id
      else { continue }
      pages[action.id] = page
    }
    return pages
  }
}

extension Experience {
  /// The name of the text beside the starter's field for the name.
  private static let identifier = "identifier"

  /// Lets the starter ask for a user name or an e-mail address, as this server's own pages do: users of a server may have no address.
  /// Its file asks for an address, because an app that has it from another server may know no names.
  mutating func takeUserNames() {
    for language in texts.keys {
      texts[language]?[Self.identifier] = AccountTables.table(language)?[AccountText.identifierLabel.rawValue]
    }
    for flow in flows.indices where flows[flow].kind == .login {
      for screen in flows[flow].screens.indices {
        for index in flows[flow].screens[screen].fields.indices
        where flows[flow].screens[screen].fields[index].key == "email" {
          // An address that was typed on the way here is filled in.
          flows[flow].screens[screen].fields[index] = Field(
            key: "username", kind: .text, label: .key(Self.identifier), isRequired: true, inherits: .from("email"),
            constraints: Constraints(maxLength: UserName.maximumCount), autofill: "username")
        }
      }
    }
  }
}

extension Experience.Field {
  /// Demands more characters of a new password, and says so.
  fileprivate mutating func demand(_ least: Int, help text: Experience.Text) {
    guard key == "password", isSecure, constraints.minLength ?? 0 < least else { return }
    // A help of the document's beside a smaller number may name that.
    if help == nil || constraints.minLength != nil { help = text }
    constraints.minLength = least
  }
}
