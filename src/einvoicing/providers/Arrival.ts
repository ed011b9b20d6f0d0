import type { Timestamp } from "../../kernel/Calendar.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import type { Certificate } from "../../platform/crypto/signatures/Certificates.ts"

export interface Arrival {
  readonly transmission_id: string
  readonly organization_id: OrganizationId
  readonly at: Timestamp
  readonly bytes: Uint8Array
  /** Certificates of the authorities that are trusted to certify signers; absent if there is no trust list. */
  readonly trusted?: ReadonlyArray<Certificate>
}
