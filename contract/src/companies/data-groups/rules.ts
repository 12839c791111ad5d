/** What a data group can hold (A22). */
export const dataGroupTypes = ['company', 'number', 'dniPool', 'user', 'tag'] as const;
export type DataGroupType = (typeof dataGroupTypes)[number];

/** Data groups an organization can have, and entities one of them can hold. */
export const mostDataGroups = 200;
export const mostEntities = 5000;
