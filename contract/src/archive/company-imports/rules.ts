/** Where an archive that platform staff uploaded stands. */
export const companyImportStates = [
  'uploading',
  'queued',
  'checking',
  'ready',
  'refused',
  'importing',
  'done',
  'failed',
] as const;
export type CompanyImportState = (typeof companyImportStates)[number];

/** Something runs: the next step is the server's. */
export const isRunning = (state: CompanyImportState): boolean =>
  state === 'queued' || state === 'checking' || state === 'importing';

/** What people call the records of an archive, in the order of a report. */
export const recordKinds = [
  'users',
  'numbers',
  'contacts',
  'calls',
  'conversations',
  'messages',
  'faxes',
  'campaigns',
  'other',
] as const;
export type RecordKind = (typeof recordKinds)[number];

/** Days that an uploaded archive is kept. It is deleted earlier when its import is done. */
export const uploadKeptDays = 7;
