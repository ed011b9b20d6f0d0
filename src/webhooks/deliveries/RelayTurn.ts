/** Advisory lock: one process at a time creates deliveries, so that they keep the order of their events. */
export const relay_turn = 1_331_852_020
