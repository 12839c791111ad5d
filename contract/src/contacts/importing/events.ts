import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

const jobs = ['contactsProgress', 'getContactImport', 'listContactImports'];

export const contactImportProgressed = event<typeof payloads.contactImportProgressed>({
  name: 'contact-import-progress',
  channel: 'companies',
  invalidates: jobs,
});

/**
 * `resultUrl` is the screen with the files. The signed URLs of the files work without a session, so
 * they are not sent to the whole company.
 */
export const contactImportCompleted = event<typeof payloads.contactImportCompleted>({
  name: 'contact-import-completed',
  channel: 'companies',
  invalidates: jobs,
});

/** An import changed state; lists of imports are stale. */
export const contactImportChanged = event<typeof payloads.contactImportChanged>({
  name: 'contact_import.changed',
  channel: 'companies',
  invalidates: jobs,
});

/** Numbers marked as opted out in a file and not opted out before. */
export const importOptOutsFound = event<typeof payloads.importOptOutsFound>({
  name: 'contact_import.opted_out',
  channel: null,
});
