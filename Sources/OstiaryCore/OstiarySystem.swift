// Every module that imports the core uses the errors and the lock type.
@_exported public import OstiarySystem
