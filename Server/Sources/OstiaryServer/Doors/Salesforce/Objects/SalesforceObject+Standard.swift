import OstiaryCore

extension SalesforceObject {
  private static let id = SalesforceField(name: "Id", label: "Record ID", kind: .id, length: 18)

  private static let history = [
    SalesforceField(name: "CreatedDate", label: "Created Date", kind: .datetime),
    SalesforceField(name: "CreatedById", label: "Created By ID", kind: .reference, length: 18, references: ["User"]),
    SalesforceField(name: "LastModifiedDate", label: "Last Modified Date", kind: .datetime),
    SalesforceField(name: "SystemModstamp", label: "System Modstamp", kind: .datetime),
    SalesforceField(name: "IsDeleted", label: "Deleted", kind: .boolean),
  ]

  private static func text(
    _ name: String, _ label: String, _ length: Int, kind: SalesforceField.Kind = .string, isRequired: Bool = false
  ) -> SalesforceField {
    SalesforceField(name: name, label: label, kind: kind, length: length, isWritable: true, isRequired: isRequired)
  }

  private static func picklist(
    _ name: String, _ label: String, _ choices: [String], standard: JSONValue = .null, isRequired: Bool = false
  ) -> SalesforceField {
    SalesforceField(
      name: name, label: label, kind: .picklist, length: 255, choices: choices, isWritable: true,
      isRequired: isRequired, standard: standard)
  }

  /// A customer's question or problem.
  static let theCase = SalesforceObject(
    name: "Case", label: "Case", plural: "Cases", prefix: .theCase,
    fields: [
      id, SalesforceField(name: "CaseNumber", label: "Case Number", kind: .string, length: 30),
      text("Subject", "Subject", 255), text("Description", "Description", 32_000, kind: .textarea),
      picklist("Status", "Status", ["New", "Working", "Escalated", "Closed"], standard: "New"),
      picklist("Priority", "Priority", ["High", "Medium", "Low"], standard: "Medium"),
      picklist("Origin", "Case Origin", ["Phone", "Email", "Web", "Mobile"]),
      picklist("Type", "Case Type", ["Question", "Problem", "Feature Request"]),
      picklist("Reason", "Case Reason", ["Installation", "Performance", "Breakdown", "Other"]),
      text("Comments", "Internal Comments", 4000, kind: .textarea),
      text("SuppliedName", "Name", 80), text("SuppliedEmail", "Email Address", 80, kind: .email),
      text("SuppliedPhone", "Phone", 40, kind: .phone), text("SuppliedCompany", "Company", 80),
      SalesforceField(
        name: "ContactId", label: "Contact ID", kind: .reference, length: 18, references: ["Contact"],
        isWritable: true),
      SalesforceField(
        name: "AccountId", label: "Account ID", kind: .reference, length: 18, references: ["Account"],
        isWritable: true),
      SalesforceField(name: "OwnerId", label: "Owner ID", kind: .reference, length: 18, references: ["User"]),
      SalesforceField(name: "IsClosed", label: "Closed", kind: .boolean),
      SalesforceField(name: "ClosedDate", label: "Closed Date", kind: .datetime),
    ] + history,
    isCreatable: true, isUpdatable: true, isPrivate: false)

  /// A phone that is registered for push notifications.
  static let pushDevice = SalesforceObject(
    name: "MobilePushServiceDevice", label: "Mobile Push Service Device", plural: "Mobile Push Service Devices",
    prefix: .pushDevice,
    fields: [
      id, text("ConnectionToken", "Connection Token", 4000, isRequired: true),
      picklist("ServiceType", "Service Type", ["Apple", "androidGcm"], isRequired: true),
      text("ApplicationBundle", "Application Bundle", 255), text("NetworkId", "Network ID", 18),
      text("RsaPublicKey", "RSA Public Key", 4000, kind: .textarea), text("CipherName", "Cipher Name", 255),
      SalesforceField(name: "OwnerId", label: "Owner ID", kind: .reference, length: 18, references: ["User"]),
    ] + history,
    isCreatable: true, isUpdatable: false, isPrivate: true)

  /// A user of the org.
  static let user = SalesforceObject(
    name: "User", label: "User", plural: "Users", prefix: .user,
    fields: [
      id, SalesforceField(name: "Username", label: "Username", kind: .string, length: 80),
      SalesforceField(name: "Name", label: "Full Name", kind: .string, length: 121),
      SalesforceField(name: "Email", label: "Email", kind: .email, length: 128),
      SalesforceField(name: "IsActive", label: "Active", kind: .boolean),
    ] + history.filter { $0.name != "CreatedById" && $0.name != "IsDeleted" },
    isCreatable: false, isUpdatable: false, isPrivate: false)

  /// The org.
  static let organization = SalesforceObject(
    name: "Organization", label: "Organization", plural: "Organization", prefix: .organization,
    fields: [
      id, SalesforceField(name: "Name", label: "Name", kind: .string, length: 80),
      SalesforceField(name: "IsSandbox", label: "Is Sandbox", kind: .boolean),
      SalesforceField(name: "OrganizationType", label: "Edition", kind: .picklist, length: 40),
    ], isCreatable: false, isUpdatable: false, isPrivate: false)
}
