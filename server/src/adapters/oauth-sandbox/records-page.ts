import type { FastifyInstance } from 'fastify';
import { escapeHtml } from '../../platform/html.ts';

interface Entry {
  name: string;
  detail: string;
  at: Date;
  facts: Readonly<Record<string, string>>;
}

/** `/sandbox/{name}` and `/sandbox/{name}.json`: what a simulated provider has, newest first. */
export const recordsPage =
  <Row>(
    name: string,
    {
      title,
      about,
      empty,
      latest,
      entryOf,
    }: {
      title: string;
      about: string;
      empty: string;
      latest: () => Promise<Row[]>;
      entryOf: (row: Row) => Entry;
    },
  ) =>
  async (app: FastifyInstance): Promise<void> => {
    app.get(`/sandbox/${name}.json`, async () => ({ data: await latest() }));
    app.get(`/sandbox/${name}`, async (_, answer) => {
      const entries = (await latest()).map((row) => shown(entryOf(row)));
      return answer.type('text/html')
        .send(`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:720px;margin:32px auto;padding:0 16px}article{border:1px solid color-mix(in srgb,currentColor 18%,transparent);border-radius:8px;margin:12px 0;padding:12px 16px}header{display:flex;gap:12px;flex-wrap:wrap}time{margin-left:auto;opacity:.75}dl{display:grid;grid-template-columns:auto 1fr;gap:2px 16px;margin:8px 0 0}dt{opacity:.75}dd{margin:0;overflow-wrap:anywhere}</style>
<main><h1>${title}</h1><p>${about} Nothing leaves this server.</p>${entries.join('') || `<p>${empty}</p>`}</main></html>`);
    });
  };

function shown({ name, detail, at, facts }: Entry): string {
  const time = at.toISOString().replace('T', ' ').slice(0, 19);
  const rows = Object.entries(facts).map(
    ([key, value]) => `<dt>${escapeHtml(key)}</dt><dd>${escapeHtml(value)}</dd>`,
  );
  return `<article><header><b>${escapeHtml(name)}</b><span>${escapeHtml(detail)}</span><time>${time} UTC</time></header><dl>${rows.join('')}</dl></article>`;
}
