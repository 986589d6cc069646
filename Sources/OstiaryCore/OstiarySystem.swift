// The errors and the lock type are what every module uses, whatever else it imports.
@_exported public import OstiarySystem
