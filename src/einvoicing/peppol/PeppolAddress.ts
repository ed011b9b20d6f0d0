import { easCode } from "../../customers/NetworkIdentifier.ts"
import type { ParticipantIdentifier } from "../providers/Provider.ts"

export const peppolAddress = ({ scheme, value }: ParticipantIdentifier): string => `${easCode(scheme)}:${value}`
