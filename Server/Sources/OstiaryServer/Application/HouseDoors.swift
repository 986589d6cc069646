/// The doors of this server, in the order in which they are listed. A further door adds its line here.
package let houseDoors: [any DoorModule.Type] = [
  PegaModule.self,
  NewzuluModule.self,
  GatewayModule.self,
  SalesforceModule.self,
  PrimerModule.self,
  AccountPagesModule.self,
  AdministrationModule.self,
]
