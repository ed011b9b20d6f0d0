import { ublInvoice } from "../../expenses/receipts/extraction/embedded/EmbeddedInvoices.ts"
import { buyer_siren, siren } from "./Seller.ts"

/** The UBL invoice of a French supplier to the organization. */
export const supplierInvoice = (number: string) =>
  ublInvoice()
    .replace(/<cbc:ID>[^<]*</, `<cbc:ID>${number}<`)
    .replace(/<cac:AccountingSupplierParty>.*<\/cac:AccountingSupplierParty>/s, parties)

const party = (name: string, id: string) =>
  `<cac:Party><cbc:EndpointID schemeID="0225">${id}_STATUTS</cbc:EndpointID><cac:PartyLegalEntity>` +
  `<cbc:RegistrationName>${name}</cbc:RegistrationName><cbc:CompanyID schemeID="0002">${id}</cbc:CompanyID>` +
  `</cac:PartyLegalEntity></cac:Party>`
const parties =
  `<cac:AccountingSupplierParty>${party("VENDEUR", buyer_siren)}</cac:AccountingSupplierParty>` +
  `<cac:AccountingCustomerParty>${party("ACHETEUR", siren)}</cac:AccountingCustomerParty>`
