/** `/sandbox/hubspot` and `/sandbox/hubspot.json`: what is in the simulated HubSpot accounts, newest first. */
import { sql } from 'kysely';
import type { Services } from '../../platform/context.ts';
import { recordsPage } from './records-page.ts';

// The system role: the simulated accounts’ own tables have no company.

interface Row {
  id: string;
  type: string;
  properties: Record<string, string>;
  contacts: string[];
  at: Date;
}
const names: Readonly<Record<string, string>> = {
  contacts: 'Contact',
  calls: 'Call',
  communications: 'Text',
};

/** Shows them as a page and as JSON. */
export const sandboxHubspotPage = ({ db }: Pick<Services, 'db'>) =>
  recordsPage('hubspot', {
    title: 'Simulated HubSpot',
    about: 'Contacts, calls and texts in the accounts of the demo.',
    empty: 'Nothing yet. Connect HubSpot, choose what to log, and call a number.',
    latest: async () =>
      (
        await sql<Row>`select id::text, type, properties, contacts, created_at as at
          from sandbox.hubspot_object order by id desc limit 100`.execute(db.unscoped)
      ).rows,
    entryOf: ({ id, type, properties, contacts, at }) => ({
      ...{ name: names[type] ?? type, detail: id, at },
      facts: { ...properties, ...(contacts.length > 0 && { contact: contacts.join(', ') }) },
    }),
  });
