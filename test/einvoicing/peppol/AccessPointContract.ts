import { Ajv } from "ajv"

/**
 * Schemas of the requests and answers of Recommand's API, from its public reference. The simulated access point
 * validates with them.
 */
const text = { type: "string" }
const nullableText = { type: ["string", "null"] }
const object = (required: Readonly<Record<string, object>>, optional: Readonly<Record<string, object>> = {}) => ({
  type: "object",
  required: Object.keys(required),
  properties: { ...required, ...optional },
  additionalProperties: false
})
const answer = (fields: Readonly<Record<string, object>>) => object({ success: { const: true }, ...fields })

const company = object({
  id: text,
  teamId: text,
  name: text,
  address: text,
  postalCode: text,
  city: text,
  country: text,
  enterpriseNumberScheme: nullableText,
  enterpriseNumber: text,
  vatNumber: text,
  email: nullableText,
  phone: nullableText,
  isSmpRecipient: { type: "boolean" },
  isVerified: { type: "boolean" },
  createdAt: text,
  updatedAt: text
})

const identifier = object({
  id: text,
  companyId: text,
  scheme: text,
  identifier: text,
  createdAt: text,
  updatedAt: text
})

const documentType = object({
  id: text,
  companyId: text,
  docTypeId: text,
  processId: text,
  createdAt: text,
  updatedAt: text
})

const documentFields = {
  id: text,
  teamId: text,
  companyId: text,
  direction: { enum: ["incoming", "outgoing"] },
  senderId: text,
  receiverId: nullableText,
  docTypeId: text,
  processId: text,
  countryC1: text,
  type: {
    enum: [
      "invoice",
      "creditNote",
      "selfBillingInvoice",
      "selfBillingCreditNote",
      "messageLevelResponse",
      "xml",
      "unknown"
    ]
  },
  readAt: nullableText,
  createdAt: text,
  updatedAt: text,
  validation: { type: ["object", "null"] },
  sentOverPeppol: { type: "boolean" },
  sentOverEmail: { type: "boolean" },
  emailRecipients: { type: "array", items: text },
  labels: { type: "array" },
  peppolMessageId: nullableText,
  peppolConversationId: nullableText,
  receivedPeppolSignalMessage: nullableText,
  envelopeId: nullableText
}
const parsed = { type: ["object", "null"] }
const pagination = object({
  total: { type: "number" },
  page: { type: "number" },
  limit: { type: "number", maximum: 200 },
  totalPages: { type: "number" }
})

const ajv = new Ajv({ allowUnionTypes: true, allErrors: true })

export const requests = {
  send: ajv.compile(
    object(
      { recipient: nullableText, documentType: { enum: ["invoice", "creditNote", "xml"] }, document: text },
      { doctypeId: text, processId: text }
    )
  ),
  company: ajv.compile(object({}, { isSmpRecipient: { type: "boolean" }, name: text })),
  identifier: ajv.compile(object({ scheme: { ...text, minLength: 1 }, identifier: { ...text, minLength: 1 } })),
  documentType: ajv.compile(object({ docTypeId: { ...text, minLength: 1 }, processId: { ...text, minLength: 1 } })),
  support: ajv.compile(object({ peppolAddress: text, documentType: text })),
  read: ajv.compile(object({}, { read: { type: "boolean" } }))
}

export const answers = {
  company: ajv.compile(answer({ company })),
  identifier: ajv.compile(answer({ identifier })),
  identifiers: ajv.compile(answer({ identifiers: { type: "array", items: identifier } })),
  documentType: ajv.compile(answer({ documentType })),
  documentTypes: ajv.compile(answer({ documentTypes: { type: "array", items: documentType } })),
  support: ajv.compile(answer({ isValid: { type: "boolean" } })),
  done: ajv.compile(answer({})),
  sent: ajv.compile(
    answer({
      sentOverPeppol: { type: "boolean" },
      sentOverEmail: { type: "boolean" },
      emailRecipients: { type: "array", items: text },
      teamId: text,
      companyId: text,
      id: text,
      peppolMessageId: nullableText,
      envelopeId: nullableText
    })
  ),
  inbox: ajv.compile(answer({ documents: { type: "array", items: object(documentFields) } })),
  documents: ajv.compile(
    answer({ documents: { type: "array", items: object({ ...documentFields, parsed }) }, pagination })
  ),
  document: ajv.compile(answer({ document: object({ ...documentFields, parsed, xml: nullableText }) })),
  refusal: ajv.compile(
    object({
      success: { const: false },
      errors: { type: "object", additionalProperties: { type: "array", items: text } }
    })
  )
}
