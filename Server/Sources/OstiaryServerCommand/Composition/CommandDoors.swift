internal import ArgumentParser

/// The doors as the command has them, in the order in which the help of `ostiary serve` speaks of them. A further door adds its line
/// here.
struct CommandDoors: CommandDoorList {
  @OptionGroup var pega: PegaCommandDoor
  @OptionGroup var newzulu: NewzuluCommandDoor
  @OptionGroup var administration: AdministrationCommandDoor
  @OptionGroup(title: "Gateway options") var gateway: GatewayCommandDoor
  @OptionGroup(title: "Account and mail options") var accounts: AccountsCommandDoor
  @OptionGroup(title: "Salesforce options") var salesforce: SalesforceCommandDoor
  @OptionGroup(title: "Primer options") var primer: PrimerCommandDoor
}
