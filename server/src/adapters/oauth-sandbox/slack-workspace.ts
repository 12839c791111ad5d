/** Slack, simulated: a workspace with channels, messages and threads, by the tokens of its books. */
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { z } from 'zod';
import type { OutboundAnswer, OutboundRequest } from '../../gateways/outbound.ts';
import type { Services } from '../../platform/context.ts';
import type { Db } from '../../platform/db.ts';
import { escapeHtml } from '../../platform/html.ts';
import type { GatewayServices } from '../adapter.ts';
import { accountOfToken } from './grants.ts';

// The system role: the simulated workspace’s own tables have no company.

export const slackHost = 'slack.com';
const channels = [
  { id: 'C0FRONT', name: 'front-desk', is_private: false },
  { id: 'C0SALES', name: 'sales', is_private: false },
  { id: 'C0OWNERS', name: 'owners', is_private: true },
  { id: 'C0OLD', name: 'old-archived', is_private: false, is_archived: true },
];
const PAGE = 2;
/** Where a workspace’s answers come from; everyone of the demo shares it. */
const posted = z.object({
  channel: z.string(),
  text: z.string().min(1).max(40_000),
  thread_ts: z.string().optional(),
});

const reply = (body: object): OutboundAnswer => ({
  status: 200,
  body: JSON.stringify(body),
  retryAfterSeconds: null,
});
const refusal = (error: string): OutboundAnswer => reply({ ok: false, error });

/** What the simulated Slack answers to a call of its API. */
export async function answerSlack(
  { db, now }: Pick<GatewayServices, 'db' | 'now'>,
  { url, headers, body }: OutboundRequest,
): Promise<OutboundAnswer> {
  const { pathname, searchParams } = new URL(url);
  const token = /^Bearer (.+)$/.exec(headers['authorization'] ?? '')?.[1] ?? '';
  const account = await accountOfToken(db, 'slackbot', token, now());
  if (!account) return refusal('invalid_auth');
  if (pathname === '/api/conversations.list')
    return listChannels(Number(searchParams.get('cursor')) || 0);
  if (pathname === '/api/chat.postMessage') return post(db, account.name, body, now());
  return refusal('unknown_method');
}

function listChannels(from: number): OutboundAnswer {
  const open = channels.filter((one) => !one.is_archived);
  const next = open.length > from + PAGE ? String(from + PAGE) : '';
  return reply({
    ok: true,
    channels: open.slice(from, from + PAGE),
    response_metadata: { next_cursor: next },
  });
}

async function post(db: Db, workspace: string, body: string, now: Date): Promise<OutboundAnswer> {
  const message = posted.safeParse(JSON.parse(body)).data;
  if (!message) return refusal('no_text');
  const channel = channels.find(({ id }) => id === message.channel);
  if (!channel) return refusal('channel_not_found');
  if (channel.is_archived) return refusal('is_archived');
  const { rows } = await sql<{ ts: string }>`insert into sandbox.slack_message
      (workspace, channel, thread_ts, text, at)
    values (${workspace}, ${channel.id}, ${message.thread_ts ?? null}, ${message.text}, ${now})
    returning ts`.execute(db.unscoped);
  return reply({ ok: true, channel: channel.id, ts: rows[0]?.ts ?? '' });
}

interface Row {
  ts: string;
  workspace: string;
  channel: string;
  thread_ts: string | null;
  text: string;
  at: Date;
}

/** `/sandbox/slack` and `/sandbox/slack.json`: what was posted, newest first. */
export const sandboxSlackPage =
  ({ db }: Pick<Services, 'db'>) =>
  async (app: FastifyInstance): Promise<void> => {
    const latest = async (): Promise<Row[]> =>
      (
        await sql<Row>`select ts, workspace, channel, thread_ts, text, at
          from sandbox.slack_message order by id desc limit 100`.execute(db.unscoped)
      ).rows;
    app.get('/sandbox/slack.json', async () => ({ data: await latest() }));
    app.get('/sandbox/slack', async (_, answer) => {
      const entries = (await latest()).map(entryOf);
      return answer.type('text/html')
        .send(`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Simulated Slack</title>
<style>:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:720px;margin:32px auto;padding:0 16px}article{border:1px solid color-mix(in srgb,currentColor 18%,transparent);border-radius:8px;margin:12px 0;padding:12px 16px}article.reply{margin-left:32px}header{display:flex;gap:12px;flex-wrap:wrap}time{margin-left:auto;opacity:.75}p{margin:8px 0 0;white-space:pre-wrap;overflow-wrap:anywhere}blockquote{margin:4px 0;padding-left:12px;border-left:3px solid color-mix(in srgb,currentColor 30%,transparent)}</style>
<main><h1>Simulated Slack</h1><p>What was posted in the channels of the demo’s workspaces. Nothing leaves this server.</p>${entries.join('') || '<p>No messages yet. Connect Slack, choose a channel, and call a number.</p>'}</main></html>`);
    });
  };

const entryOf = ({ channel, workspace, thread_ts: thread, text, at }: Row): string => {
  const name = channels.find(({ id }) => id === channel)?.name ?? channel;
  const time = at.toISOString().replace('T', ' ').slice(0, 19);
  return `<article${thread ? ' class="reply"' : ''}><header><b>#${escapeHtml(name)}</b><span>${escapeHtml(workspace)}${thread ? ', in a thread' : ''}</span><time>${time} UTC</time></header><p>${shown(text)}</p></article>`;
};

/** Slack’s markup as it is shown there: bold, links and quotes. */
const shown = (text: string): string =>
  text
    .split('\n')
    .map((line) => {
      const safe = line
        .replaceAll(/<(https?:\/\/[^|>]+)\|([^>]+)>/g, '\ue001$1\ue002$2\ue003')
        .replaceAll(/<!(here|channel)>/g, '@$1')
        .replaceAll('"', '&quot;')
        .replaceAll(/[<>]/g, '');
      const linked = safe
        .replaceAll(/\ue001([^\ue002]+)\ue002([^\ue003]+)\ue003/g, '<a href="$1">$2</a>')
        .replaceAll(/\*([^*]+)\*/g, '<b>$1</b>');
      return linked.startsWith('&gt; ') || line.startsWith('> ')
        ? `<blockquote>${linked.replace(/^(&gt;|>)? ?/, '')}</blockquote>`
        : linked;
    })
    .join('\n');
