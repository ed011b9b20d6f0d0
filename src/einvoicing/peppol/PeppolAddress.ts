import { easCode } from "../../customers/identifiers/NetworkIdentifier.ts"
import type { ParticipantIdentifier } from "../providers/Provider.ts"

export const peppolAddress = ({ scheme, value }: ParticipantIdentifier): string => `${easCode(scheme)}:${value}`
