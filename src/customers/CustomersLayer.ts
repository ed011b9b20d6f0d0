import { Layer } from "effect"
import { Contacts } from "./contacts/Contacts.ts"
import { ContactsHttp } from "./contacts/ContactsHttp.ts"
import { CustomersHandlers } from "./CustomersHttp.ts"
import { Customers } from "./Customers.ts"

const CustomersServices = Layer.mergeAll(Customers.layer, Contacts.layer)

export const CustomersHttp = Layer.mergeAll(CustomersHandlers, ContactsHttp).pipe(Layer.provide(CustomersServices))
