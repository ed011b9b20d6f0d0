import { Layer } from "effect"
import { Contacts } from "./contacts/Contacts.ts"
import { ContactsHttp } from "./contacts/ContactsHttp.ts"
import { CustomersHttp } from "./CustomersHttp.ts"
import { Customers } from "./Customers.ts"

const CustomersServices = Layer.mergeAll(Customers.layer, Contacts.layer)

export const CustomersLayer = Layer.mergeAll(CustomersHttp, ContactsHttp).pipe(Layer.provide(CustomersServices))
