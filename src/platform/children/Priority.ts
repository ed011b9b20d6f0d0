import { constants, setPriority } from "node:os"

/** For a child whose work may wait: the service and its database get the processor first. */
export const giveWay = (): void => setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
