import type { Services } from '../src/platform/context.ts';
import type { Tx } from '../src/platform/db.ts';
import { seal } from '../src/platform/secrets.ts';

const HOUR = 3_600_000;
const rule = { event: 'call.completed', first_contact_only: true };

/**
 * A CRM that gets leads, an endpoint of webhooks and a property of Google Analytics, with what was delivered to them. Nothing
 * leaves the demo.
 */
export async function seedIntegrations(
  { settings }: Services,
  tx: Tx,
  companyId: number,
  now: Date,
): Promise<void> {
  const before = (hours: number): Date => new Date(now.getTime() - hours * HOUR);
  const common = { company_id: companyId, created_at: before(400), updated_at: before(400) };
  const calls = await tx
    .selectFrom('call')
    .select(['id', 'started_at', 'number_id'])
    .where('company_id', '=', companyId)
    .where('outbound', '=', false)
    .where('ended_at', 'is not', null)
    .orderBy('started_at', 'desc')
    .limit(6)
    .execute();
  const [crm] = await tx
    .insertInto('destination')
    .values([
      {
        ...common,
        provider: 'adf',
        name: 'Harbor CRM',
        config: JSON.stringify({
          to: ['leads@crm.harbor.example'],
          dealer: { id: 'HD-1', name: 'Harbor Dental', phone: '+14155550100', email: '' },
        }),
        rules: JSON.stringify([rule]),
        // The newest of what is below.
        last_sent_at: calls[0]?.started_at ?? null,
      },
      {
        ...common,
        provider: 'ga4',
        name: 'Website',
        config: JSON.stringify({ measurementId: 'G-HARB0R2026' }),
        secret_sealed: seal(settings.appSecrets, 'simulated_secret'),
        rules: JSON.stringify([{ ...rule, first_contact_only: false }]),
      },
    ])
    .returning('id')
    .execute();
  if (!crm || calls.length === 0) return;
  await seedWebhook({ settings }, tx, companyId, { now, calls });
  await tx
    .insertInto('delivery')
    .values(
      calls.map(({ id, started_at: at, number_id }, n) => ({
        company_id: companyId,
        destination_id: crm.id,
        event: 'call.completed',
        subject_type: 'call',
        subject_id: id,
        number_id,
        rule: JSON.stringify(rule),
        dedupe_key: `call:${id}`,
        thread_root: id,
        state: n === 2 ? 'dead' : 'sent',
        attempts: n === 2 ? 8 : 1,
        next_try_at: at,
        request_redacted: `To: leads@crm.harbor.example\nSubject: New call lead – Harbor Dental\n\n<?xml version="1.0" encoding="UTF-8"?>\n<?adf version="1.0"?>\n<adf>\n<prospect status="new">\n<id sequence="1" source="Trunkline">${id}</id>\n…`,
        error: n === 2 ? 'The mail server didn’t take the email.' : null,
        happened_at: at,
        created_at: at,
        ...(n !== 2 && { sent_at: at }),
      })),
    )
    .execute();
}

/** An endpoint with a day’s events: one is given up, and one was taken at the second try. */
async function seedWebhook(
  { settings }: Pick<Services, 'settings'>,
  tx: Tx,
  companyId: number,
  {
    now,
    calls,
  }: { now: Date; calls: readonly { id: number; started_at: Date; number_id: number }[] },
): Promise<void> {
  const at = new Date(now.getTime() - 200 * HOUR);
  const url = 'https://hooks.harbor.example/trunkline';
  const secret = `whsec_${Buffer.from('a simulated secret of the demo!!').toString('base64')}`;
  const { id: endpoint } = await tx
    .insertInto('destination')
    .values({
      ...{ company_id: companyId, provider: 'webhooks', name: 'Booking system' },
      config: JSON.stringify({ url }),
      secret_sealed: seal(settings.appSecrets, JSON.stringify([{ secret, until: null }])),
      rules: JSON.stringify([{ event: 'call.completed' }, { event: 'message.received' }]),
      last_sent_at: calls[0]?.started_at ?? at,
      ...{ created_at: at, updated_at: at },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const [n, call] of calls.entries()) {
    const isDead = n === 3;
    const { id } = await tx
      .insertInto('delivery')
      .values({
        ...{ company_id: companyId, destination_id: endpoint, number_id: call.number_id },
        ...{ event: 'call.completed', subject_type: 'call', subject_id: call.id },
        rule: JSON.stringify({ event: 'call.completed' }),
        dedupe_key: `call.completed:call:${call.id}`,
        order_key: `call:${call.id}`,
        state: isDead ? 'dead' : 'sent',
        attempts: n === 1 ? 2 : 1,
        request_redacted: `POST ${url}\n\n${JSON.stringify({ type: 'call.completed', timestamp: call.started_at, data: { object: 'call', id: call.id, party: '+1•••47' } })}`,
        response_code: isDead ? 410 : 200,
        response_excerpt: isDead ? 'Gone' : '{"received":true}',
        error: isDead ? 'The receiver answered with status 410.' : null,
        ...{ next_try_at: call.started_at, happened_at: call.started_at },
        created_at: call.started_at,
        ...(!isDead && { sent_at: call.started_at }),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const taken = { code: 200, excerpt: '{"received":true}', error: null, ms: 92 };
    const tries = isDead
      ? [{ code: 410, excerpt: 'Gone', error: 'The receiver answered with status 410.', ms: 61 }]
      : n === 1
        ? [
            { code: 503, excerpt: '', error: 'The receiver answered with status 503.', ms: 54 },
            taken,
          ]
        : [taken];
    await tx
      .insertInto('delivery_attempt')
      .values(
        tries.map(({ code, excerpt, error, ms }, no) => ({
          ...{ company_id: companyId, delivery_id: id, error, duration_ms: ms },
          at: new Date(call.started_at.getTime() + no * 60_000),
          ...{ response_code: code, response_excerpt: excerpt },
        })),
      )
      .execute();
  }
}
