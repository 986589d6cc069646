internal import SalesforceSDKCore

// Articles and cases are read with requests here (``ServiceCloud/request(_:path:body:contentType:forServiceType:completion:)``), whose
// failures are in ``SCServiceErrorDomain``. These are for code that compares.

/// The codes of errors about knowledge articles, in ``SCSKnowledgeErrorDomain``. Nothing here makes one.
///
/// A drop-in for the enumeration of this name in Salesforce's Embedded Service SDK.
public enum SCSKnowledgeErrorCode: Int, Sendable, CaseIterable {
  /// There is no such article.
  case noArticleFound = 1
  /// A file can't be written.
  case cannotWriteFile
  /// Data is missing.
  case dataNotFound
  /// There is no such category.
  case invalidCategory
  /// There is no such group of categories.
  case invalidCategoryGroup
  /// No user has signed in.
  case notAuthenticated
  /// Where the content was is gone.
  case contentBecameInvalid
}

/// The codes of errors about cases, in ``SCSCaseErrorDomain``. Nothing here makes one.
///
/// A drop-in for the enumeration of this name in Salesforce's Embedded Service SDK.
public enum SCSCaseErrorCode: Int, Sendable, CaseIterable {
  /// The app has not named its list of cases.
  case noCaseListNameDefined = 1
}

/// The domain of errors about knowledge articles, whose codes are ``SCSKnowledgeErrorCode``.
public let SCSKnowledgeErrorDomain = SalesforceSDKName.knowledgeErrorDomain.current

/// The domain of errors about cases, whose codes are ``SCSCaseErrorCode``.
public let SCSCaseErrorDomain = SalesforceSDKName.caseErrorDomain.current
