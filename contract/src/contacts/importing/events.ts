import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

const jobs = ['contactsProgress', 'getContactImport', 'listContactImports'];

export const contactImportProgressed = event<typeof payloads.contactImportProgressed>({
  name: 'contact-import-progress',
  channel: 'companies',
  touches: jobs,
});

/** `resultUrl` is the screen with the files: the files' own addresses open without a session and go only to those who may import. */
export const contactImportCompleted = event<typeof payloads.contactImportCompleted>({
  name: 'contact-import-completed',
  channel: 'companies',
  touches: jobs,
});

/** A file was read, an undo began: lists of imports are stale. */
export const contactImportChanged = event<typeof payloads.contactImportChanged>({
  name: 'contact_import.changed',
  channel: 'companies',
  touches: jobs,
});

/** Numbers that a file says opted out, and that were not known to. */
export const importOptOutsFound = event<typeof payloads.importOptOutsFound>({
  name: 'contact_import.opted_out',
  channel: null,
});
