import type { FastifyPluginAsync } from 'fastify';
import type { Db } from '../../platform/db.ts';
import { listOutboxMails } from '../../platform/mail.ts';
import type { KeyRing } from '../../platform/secrets.ts';
import { escapeHtml } from '../../platform/html.ts';
import type { MailGateway } from '../../gateways/mail.ts';

/** Mail in development: it stays in the table it was queued in and is shown at /dev/outbox. */
export const mailOutbox: MailGateway = { name: 'outbox', send: async () => {} };

/** Pictures of custom domains from this host, the only one that the page may load from. */
const fromHere = (html: string): string =>
  html.replaceAll(/(<img src=")https?:\/\/[^/"]+(?=\/api\/branding\/)/g, '$1');

/** /dev/outbox: the last hundred mails, newest first. Only when mail is not sent. */
export const outboxPage =
  (db: Db, appSecrets: KeyRing): FastifyPluginAsync =>
  async (app) => {
    const latest = () => listOutboxMails(db, appSecrets);
    app.get('/dev/outbox.json', async () => ({
      data: (await latest()).map((m) => ({
        id: m.id,
        to: m.to,
        from: m.from,
        subject: m.subject,
        text: m.text,
        html: m.html,
        attached: m.attached,
        at: m.at,
      })),
    }));
    app.get('/dev/outbox', async (_, reply) => {
      const mails = await latest();
      const rows = mails.map(
        (m) =>
          `<article><header><b>${escapeHtml(m.subject)}</b>${m.from ? `<span>from ${escapeHtml(m.from)}</span>` : ''}<span>to ${escapeHtml(m.to)}</span><time>${m.at.toISOString().replace('T', ' ').slice(0, 19)} UTC</time></header><pre>${escapeHtml(m.text).replace(/https?:\/\/[^\s]+/g, (u) => `<a href="${u}">${u}</a>`)}</pre>${m.attached.length ? `<p>Attached: ${escapeHtml(m.attached.join(', '))}</p>` : ''}<details><summary>As it looks</summary><iframe sandbox title="${escapeHtml(m.subject)}" srcdoc="${escapeHtml(fromHere(m.html))}"></iframe></details></article>`,
      );
      return reply.type('text/html')
        .send(`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Outbox</title>
<style>:root{color-scheme:light dark}body{font:14px/1.5 system-ui,sans-serif;max-width:720px;margin:32px auto;padding:0 16px}article{border:1px solid color-mix(in srgb,currentColor 18%,transparent);border-radius:8px;margin:12px 0;padding:12px 16px}header{display:flex;gap:12px;flex-wrap:wrap}header time{margin-left:auto}iframe{width:100%;height:320px;border:0;background:#fff;color-scheme:light}pre{white-space:pre-wrap;font:inherit;margin:8px 0 0}</style>
<h1>Outbox</h1><p>Email that would have been sent. Nothing leaves this machine.</p>${rows.join('') || '<p>No email yet. Request a password reset and it appears here.</p>'}</html>`);
    });
  };
