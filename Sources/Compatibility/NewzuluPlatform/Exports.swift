@_exported public import NewzuluCore
