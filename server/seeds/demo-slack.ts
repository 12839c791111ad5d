import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Services } from '../src/platform/context.ts';
import type { Tx } from '../src/platform/db.ts';
import { randomToken, seal } from '../src/platform/secrets.ts';

const HOUR = 3_600_000;
const WORKSPACE = {
  id: 'sandbox-main',
  name: 'Main account at Slack',
  email: 'main@slackbot.example',
};
const rules = [{ event: 'call.missed' }, { event: 'voicemail' }];
const settings = { mention: 'none', thread_by_conversation: true, quiet_hours: null };
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/**
 * A simulated Slack workspace with a channel that missed calls are posted to, and what was posted.
 * Later missed calls are posted as well: its token is one of the sandbox's own.
 */
export async function seedSlack(
  services: Services,
  tx: Tx,
  companyId: number,
  now: Date,
): Promise<void> {
  const connectedAt = new Date(now.getTime() - 200 * HOUR);
  const connectionId = await connect(services, tx, companyId, connectedAt, now);
  await tx
    .insertInto('oauth_integration')
    .values({
      ...{ company_id: companyId, connection_id: connectionId, state: 'active' },
      config: JSON.stringify({
        ...{ team_id: null, ...settings },
        channels: [{ id: 'C0FRONT', name: 'front-desk', rules, template: null, alerts: true }],
      }),
      ...{ last_sync_at: connectedAt, updated_at: connectedAt },
    })
    .execute();
  const { id: destinationId } = await tx
    .insertInto('destination')
    .values({
      ...{ company_id: companyId, connection_id: connectionId, place_key: 'C0FRONT' },
      ...{ provider: 'slackbot', name: '#front-desk', rules: JSON.stringify(rules) },
      config: JSON.stringify({ channel: 'C0FRONT', template: null, alerts: true, ...settings }),
      ...{ created_at: connectedAt, updated_at: connectedAt },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await post(tx, { companyId, destinationId, publicUrl: services.settings.publicUrl });
}

/** The account as the sandbox and the company know it; returns the ID of its connection. */
async function connect(
  { settings: { appSecrets } }: Services,
  tx: Tx,
  companyId: number,
  at: Date,
  now: Date,
): Promise<number> {
  const [access, refresh] = [randomToken('sbx_access'), randomToken('sbx_refresh')];
  const until = new Date(now.getTime() + HOUR);
  await sql`insert into sandbox.oauth_grant (provider, account_id, account_name, account_email,
      redirect_uri, code_challenge, code_expires_at, access_hash, access_expires_at, refresh_hash,
      created_at)
    values ('slackbot', ${WORKSPACE.id}, ${WORKSPACE.name}, ${WORKSPACE.email}, '', '', ${at},
      ${hashOf(access)}, ${until}, ${hashOf(refresh)}, ${now})`.execute(tx);
  const { id } = await tx
    .insertInto('connection')
    .values({
      ...{ company_id: companyId, provider: 'slackbot', status: 'connected' },
      ...{ external_id: WORKSPACE.id, account_name: WORKSPACE.name },
      account_email: WORKSPACE.email,
      scopes: ['simulated'],
      tokens_sealed: seal(appSecrets, JSON.stringify({ access, refresh })),
      ...{ access_expires_at: until, last_worked_at: now, created_at: at },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** What the latest missed calls led to: a message in the channel, and its delivery. */
async function post(
  tx: Tx,
  {
    companyId,
    destinationId,
    publicUrl,
  }: { companyId: number; destinationId: number; publicUrl: string },
): Promise<void> {
  const calls = await tx
    .selectFrom('call')
    .select(['id', 'ended_at', 'number_id', 'from_number', 'to_number'])
    .where('company_id', '=', companyId)
    .where('outbound', '=', false)
    .where('outcome', '=', 2)
    .where('ended_at', 'is not', null)
    .orderBy('started_at', 'desc')
    .limit(5)
    .execute();
  if (calls[0])
    await tx
      .updateTable('destination')
      .set({ last_sent_at: calls[0].ended_at })
      .where('company_id', '=', companyId)
      .where('id', '=', destinationId)
      .execute();
  for (const { id, ended_at, number_id, from_number: from, to_number: to } of calls.toReversed()) {
    if (!ended_at) continue;
    const text = (who: string) =>
      `*Missed call from ${who}*\nTo: ${to} · Outcome: Missed\n<${publicUrl}/calls/${id}|Open in Trunkline>`;
    const { rows } = await sql<{ ts: string }>`insert into sandbox.slack_message
        (workspace, channel, text, at)
      values (${WORKSPACE.name}, 'C0FRONT', ${text(from)}, ${ended_at}) returning ts`.execute(tx);
    const body = { channel: 'C0FRONT', text: text('+1•••'), unfurl_links: false };
    await tx
      .insertInto('delivery')
      .values({
        ...{ company_id: companyId, destination_id: destinationId, event: 'call.missed' },
        ...{ subject_type: 'call', subject_id: id, number_id, thread_root: id },
        rule: JSON.stringify(rules[0]),
        dedupe_key: `call.missed:call:${id}`,
        ...{ state: 'sent', attempts: 1, response_code: 200, response_excerpt: '{"ok":true}' },
        request_redacted: `POST https://slack.com/api/chat.postMessage\n\n${JSON.stringify(body)}`,
        external_ref: rows[0]?.ts ?? null,
        ...{
          next_try_at: ended_at,
          happened_at: ended_at,
          created_at: ended_at,
          sent_at: ended_at,
        },
      })
      .execute();
  }
}
