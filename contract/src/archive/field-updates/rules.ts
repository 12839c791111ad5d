/** Custom fields from a file (A8.8). */
export const fieldUpdateLimits = { rows: 10_000, columns: 50, megabytes: 5 } as const;

/** Runs that are listed, the newest first. */
export const listedRuns = 25;

/** Row errors that a run keeps; the others are counted. */
export const keptErrors = 100;

/** How long a run can be undone, and how long its file is kept. */
export const [undoHours, fileDays] = [24, 30];

/** A cell with this word deletes the value; an empty one leaves it. */
export const clearWord = '__clear__';

/** The column that names the object of a row. */
export const idColumns = ['number', 'pool_id', 'entity_id'] as const;
export type IdColumn = (typeof idColumns)[number];

/** What a file can be about: keys of entity types. Of an organization only one object exists. */
export const updatableTypes = [
  'number',
  'tracking-pool',
  'contact',
  'call',
  'user',
  'company',
] as const;
export type UpdatableType = (typeof updatableTypes)[number];

export const fieldUpdateStates = ['running', 'finished', 'failed', 'undoing', 'undone'] as const;
export type FieldUpdateState = (typeof fieldUpdateStates)[number];
