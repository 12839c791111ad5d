/** `/sandbox/hubspot` and `/sandbox/hubspot.json`: what is in the simulated HubSpot accounts, newest first. */
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Services } from '../../platform/context.ts';
import { escapeHtml } from '../../platform/html.ts';

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
export const sandboxHubspotPage =
  ({ db }: Pick<Services, 'db'>) =>
  async (app: FastifyInstance): Promise<void> => {
    const latest = async (): Promise<Row[]> =>
      (
        await sql<Row>`select id::text, type, properties, contacts, created_at as at
          from sandbox.hubspot_object order by id desc limit 100`.execute(db.unscoped)
      ).rows;
    app.get('/sandbox/hubspot.json', async () => ({ data: await latest() }));
    app.get('/sandbox/hubspot', async (_, answer) => {
      const entries = (await latest()).map(entryOf);
      return answer.type('text/html')
        .send(`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Simulated HubSpot</title>
<style>:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:720px;margin:32px auto;padding:0 16px}article{border:1px solid color-mix(in srgb,currentColor 18%,transparent);border-radius:8px;margin:12px 0;padding:12px 16px}header{display:flex;gap:12px;flex-wrap:wrap}time{margin-left:auto;opacity:.75}dl{display:grid;grid-template-columns:auto 1fr;gap:2px 16px;margin:8px 0 0}dt{opacity:.75}dd{margin:0;overflow-wrap:anywhere}</style>
<main><h1>Simulated HubSpot</h1><p>Contacts, calls and texts in the accounts of the demo. Nothing leaves this server.</p>${entries.join('') || '<p>Nothing yet. Connect HubSpot, choose what to log, and call a number.</p>'}</main></html>`);
    });
  };

function entryOf({ id, type, properties, contacts, at }: Row): string {
  const time = at.toISOString().replace('T', ' ').slice(0, 19);
  const rows = Object.entries({
    ...properties,
    ...(contacts.length > 0 && { contact: contacts.join(', ') }),
  }).map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`);
  return `<article><header><b>${names[type] ?? type}</b><span>${id}</span><time>${time} UTC</time></header><dl>${rows.join('')}</dl></article>`;
}
