/** Push notifications in development: stored, never sent, shown at /dev/pushes. */
import type { FastifyPluginAsync } from 'fastify';
import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';
import { escapeHtml } from '../../platform/html.ts';
import type { PushGateway } from '../../gateways/push.ts';

// The system role: the simulated carrier’s own tables have no company.

/** A repeated key is stored once. */
export const sandboxPush = (db: Db, publicKey: string): PushGateway => ({
  name: 'sandbox',
  publicKey,
  send: async (target, note, key) => {
    await sql`insert into sandbox.push (person_id, device_id, kind, title, body, url, key)
      values (${target.personId}, ${target.deviceId}, ${`${target.kind}:${note.kind}`},
        ${note.title}, ${note.body}, ${note.url}, ${key}) on conflict (key) do nothing`.execute(
      db.unscoped,
    );
    return { state: 'sent' };
  },
});

interface Row {
  id: number;
  device_id: string;
  kind: string;
  title: string;
  body: string;
  url: string;
  at: Date;
  name: string | null;
}
/** /dev/pushes and /dev/pushes.json: the last hundred, newest first. */
export const pushesPage =
  (db: Db): FastifyPluginAsync =>
  async (app) => {
    const latest = async () =>
      (
        await sql<Row>`select s.id, s.device_id, s.kind, s.title, s.body, s.url, s.at,
          trim(p.first_name || ' ' || p.last_name) as name from sandbox.push s
          left join person p on p.id = s.person_id order by s.id desc limit 100`.execute(
          db.unscoped,
        )
      ).rows;
    app.get('/dev/pushes.json', async () => ({
      data: (await latest()).map((r) => ({
        id: r.id,
        to: r.name,
        device: r.device_id,
        kind: r.kind,
        title: r.title,
        body: r.body,
        url: r.url,
        at: r.at,
      })),
    }));
    app.get('/dev/pushes', async (_, reply) => {
      const rows = (await latest()).map(
        (r) =>
          `<article><header><b>${escapeHtml(r.title)}</b><span>to ${escapeHtml(r.name ?? 'someone')}, ${escapeHtml(r.device_id)}</span><time>${r.at.toISOString().replace('T', ' ').slice(0, 19)} UTC</time></header><p>${escapeHtml(r.body)} <a href="${escapeHtml(r.url)}">Open</a></p></article>`,
      );
      return reply.type('text/html')
        .send(`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Pushes</title>
<style>:root{color-scheme:light dark}body{font:14px/1.5 system-ui,sans-serif;max-width:720px;margin:32px auto;padding:0 16px}article{border:1px solid color-mix(in srgb,currentColor 18%,transparent);border-radius:8px;margin:12px 0;padding:12px 16px}header{display:flex;gap:12px;flex-wrap:wrap}header time{margin-left:auto}p{margin:8px 0 0;overflow-wrap:anywhere}</style>
<main><h1>Pushes</h1><p>What would have appeared on phones and in browsers. Nothing leaves this machine. Email is at <a href="/dev/outbox">/dev/outbox</a>.</p>${rows.join('') || '<p>No push notifications yet. A text or call to someone who has a device and no open page appears here.</p>'}</main></html>`);
    });
  };
