/// What Pega does not publish, in one place: every name and rule here is Ostiary's choice unless a comment says where it
/// comes from. A server that differs needs another value here and nothing else.
///
/// ``PegaSettings`` reads it from a file, together with the server's address, the way of signing in and the numbers of the
/// drop-in module's errors.
public struct PegaConfiguration: Sendable, Hashable {
  // MARK: Addresses

  /// The path of a server given without one: `/prweb`, the default of Pega's own installer.
  public var contextPath = "/prweb"
  /// The servlet of a context given without one: `PRServlet`, as the vendor's SnapStart page says.
  public var servletName = "PRServlet"

  // MARK: Signing in

  /// The activity that ``PegaLoginActivity/mobileAppConfiguration`` calls.
  public var mobileAppConfigurationActivity = "pzMobileAppConfiguration"
  /// The activity that ``PegaLoginActivity/accessGroupDetails`` calls.
  public var accessGroupDetailsActivity = "pzAccessGroupDetails"
  /// The activity behind the login form's button; its name *and* value are the name of that button.
  public var formLoginActivity = "Code-Security.Login"
  /// The activity that ends a session; named in Pega's help on logging out.
  public var logOffActivity = "Code-Security.LogOff"
  /// The parameter that names an activity; visible in every address of a Pega server.
  public var activityParameter = "pyActivity"
  /// The parameter for the user name; published for SnapStart.
  public var userParameter = "UserIdentifier"
  /// The parameter for the password; published for SnapStart.
  public var passwordParameter = "Password"
  /// The form's field that says how its sender has been authenticated so far.
  public var guestParameter = "pzAuth"
  /// What that field says: `guest`, as in every published login script.
  public var guestValue = "guest"
  /// Fields that the login form sends empty.
  public var emptyFormFields = ["lockScreenID", "lockScreenPassword", "newPassword", "confirmNewPassword"]

  // MARK: What a server answers

  /// The members of the response dictionary.
  public var keys = ResponseKeys()
  /// What the realm of the server's Basic challenge has in it, in any case of letters. A 401 without it, and without
  /// another mark of the server's own, may be a proxy's: the server is asked before the session counts as refused.
  public var realmMark = "pega"
  /// The `id` of the login form; the same in every published login script. A form with fields for user name and password
  /// is taken for it, too.
  public var loginFormID = "credentialsForm"
  /// The `id` of the element in which a page says what went wrong; the same in every published login script.
  public var errorElementID = "error"
  /// The attribute of that element which names what went wrong.
  public var errorNameAttribute = "data-code"
  /// The name by which a server says that an administrator has locked the account, in a page's error element or a JSON
  /// answer's `errors[].ID`.
  public var accountLockedName = "AccountLocked"
  /// The name by which a page says that there were too many attempts.
  public var tooManyAttemptsName = "TooManyAttempts"
  /// How long to wait when a server says "too many attempts" without saying how long. One minute.
  public var lockoutWait: Duration = .seconds(60)

  // MARK: Versions

  /// The container version that this client says it is, compared with the range in the server's response.
  public var containerVersion = "8.8"
  /// The request field that carries ``containerVersion``; empty sends none.
  public var containerVersionField = "X-Pega-Container-Version"

  // MARK: Cookies

  /// The cookies that are the session: `Pega-RULES`, and `PegaRULES` as stateful services spell it. At log-off they are
  /// removed by name over every path of the host, because a proxy in front of the server can have set them twice.
  public var sessionCookieNames: Set<String> = ["Pega-RULES", "PegaRULES"]
  /// Cookies of the application container. They belong to the session, but other applications on the host use the same
  /// names: at log-off they are removed only where they would be sent to the Pega server.
  public var containerCookieNames: Set<String> = ["JSESSIONID"]

  // MARK: SnapStart

  /// The names in a SnapStart address.
  public var snapStart = SnapStartNames()
  /// Whether SnapStart addresses must be `https`, save for this machine's own. Pega's page allows `http` for prototypes
  /// only.
  public var isProduction = true

  /// The defaults.
  public init() {}
}

extension PegaConfiguration {
  /// The members of the dictionary that the login activity answers. Only the first two are known to exist: the vendor's
  /// page speaks of "access group name, base URL, and other properties".
  public struct ResponseKeys: Sendable, Hashable {
    /// The access group's name.
    public var accessGroup = "accessGroup"
    /// The address that the session lives at.
    public var baseURL = "baseURL"
    /// The names of all the operator's access groups.
    public var accessGroups = "accessGroups"
    /// The operator's identifier.
    public var operatorID = "operator"
    /// The operator's name to show.
    public var operatorName = "operatorName"
    /// The application's name.
    public var applicationName = "applicationName"
    /// The oldest container version that the server works with.
    public var minimumContainerVersion = "minContainerVersion"
    /// The newest container version that the server works with.
    public var maximumContainerVersion = "maxContainerVersion"
    /// The list of errors of an answer that is one; as in Pega's DX API.
    public var errors = "errors"
    /// The name of an error in that list; as in Pega's DX API.
    public var errorID = "ID"

    /// The defaults.
    public init() {}
  }

  /// The names in a SnapStart address. Published are `pyMobileSnapStart`, `Action`, `InsHandle`, `pyShowFullPortal` and
  /// the spelling `openAssigment`; the others follow the names of the SDK's own parameters.
  public struct SnapStartNames: Sendable, Hashable {
    /// The activity, always this one.
    public var activity = "pyMobileSnapStart"
    /// The parameter that names the action.
    public var action = "Action"
    /// The parameter that asks for the whole portal.
    public var showFullPortal = "pyShowFullPortal"

    /// The action that creates a case.
    public var createCase = "createNewWork"
    /// The action that opens a case.
    public var openCase = "openWorkByHandle"
    /// The action that opens an assignment; Pega's own misspelling.
    public var openAssignment = "openAssigment"
    /// The action that shows a harness.
    public var showHarness = "display"
    /// The action that runs an activity.
    public var runActivity = "runActivity"

    /// The parameter for the flow that creates a case.
    public var flowType = "FlowType"
    /// The parameter for the class of the case to create.
    public var insClass = "InsClass"
    /// The parameter for the key of a case or assignment.
    public var insHandle = "InsHandle"
    /// The parameter for a harness.
    public var harness = "Harness"
    /// The parameter for the activity to run.
    public var activityName = "pyActivityName"
    /// The parameter for the class of a harness or activity.
    public var className = "ClassName"

    /// The `id` of an element by which a page says that the action is finished: its user has nothing more to do there.
    public var finishedElementID = "snapStartFinished"
    /// How long the first page of an action may take. 20 seconds, as the vendor's sample waits.
    public var pageTimeout: Duration = .seconds(20)

    /// The defaults.
    public init() {}
  }
}

/// How a user name and password travel to a Pega server.
public enum PegaSignInMethod: String, Sendable, Hashable, Codable, CaseIterable {
  /// In the `Authorization` field (RFC 7617, UTF-8). It can't carry a user name with a colon.
  case basic
  /// In the address, the password in Base64. Addresses end up in logs of servers and proxies: only for a server that
  /// accepts nothing else.
  case query
  /// As a browser would: in the server's login form.
  case form
}

/// The activity that a client calls to sign in and to ask whether it is signed in.
public enum PegaLoginActivity: String, Sendable, Hashable, Codable, CaseIterable {
  /// Answers the mobile app's configuration with the range of container versions. For Pega 7.2.1 and later.
  case mobileAppConfiguration
  /// Answers the operator's access group. For servers before Pega 7.2.1.
  case accessGroupDetails
}
