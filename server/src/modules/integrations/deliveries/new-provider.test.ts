import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { integrations } from '#contract';
import type { Destination } from '../../../gateways/destination.ts';
import type { OutboundRequest } from '../../../gateways/outbound.ts';
import { systemCtx } from '../../../platform/context.ts';
import { createCallHarness, createTestNumber } from '../../../../test/support/call-harness.ts';
import { addDestination } from '../change-destination.ts';
import { deliveryRule } from '#contract/integrations/schemas';

/** A provider that only this test knows: a bell that is rung for every call. */
const bell: Destination<{ tone: string }> = {
  name: 'bell',
  label: 'Bell',
  config: z.object({ tone: z.string() }),
  events: ['call.missed', 'message.received'],
  inboundOnly: false,
  firstContactDays: null,
  dedupeKey: ({ event, subject }) => `${event}:${subject.id}`,
  thread: { days: 1, key: ({ party }) => party },
  say: ({ facts, config, secret, thread, rule }) => ({
    via: 'https',
    request: {
      url: 'https://bell.example/ring',
      method: 'POST',
      headers: { 'x-secret': secret ?? '' },
      body: [config.tone, facts.party, thread.no, thread.rootRef, rule.value.type].join(' '),
    },
  }),
  read: (answer) =>
    answer.status === 200
      ? { state: 'sent', externalRef: answer.body }
      : { state: 'retry', error: 'The bell is stuck.' },
};
const rung: OutboundRequest[] = [];
const {
  world: app,
  said: notifier,
  aCall,
} = await createCallHarness({
  ports: {
    destinations: new Map([['bell', bell]]),
    outbound: {
      name: 'public',
      send: async (request) => {
        rung.push(request);
        return { status: 200, body: `ring-${rung.length}`, retryAfterSeconds: null };
      },
    },
  },
});
beforeEach(() => {
  rung.length = 0;
});

test('a provider of a test’s own is delivered to, threaded and logged without touching the engine', async () => {
  const { company, owner } = await app.createCompany();
  const number = await createTestNumber(app, company.id, {
    voicemail: false,
    routes: [{ type: 'standard', to: ['+12065550199'], voicemail: false }],
  });
  const { id } = await systemCtx(app.services, company.id, notifier).transaction((t) =>
    addDestination(t, 'bell', {
      ...{ name: 'Front desk', status: 'active', config: { tone: 'ding' }, secret: 'sesame' },
      rules: [deliveryRule.parse({ event: 'call.missed' })],
    }),
  );
  for (let n = 0; n < 2; n++) {
    const call = aCall(number.number);
    await call.tell(call.inbound);
    await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
    await app.drainJobs();
  }
  expect(rung.map(({ body }) => body)).toEqual([
    'ding +12125550147 1  none',
    'ding +12125550147 2 ring-1 none',
  ]);
  expect(rung[0]?.headers).toEqual({ 'x-secret': 'sesame' });
  const { body } = await app.as(owner).request(integrations.listDeliveries, {
    params: { companyId: company.id, destinationId: id },
  });
  expect(body.data.map(({ state }) => state)).toEqual(['sent', 'sent']);
  expect(body.data[0]?.request_redacted).toContain('ding +1•••47 2');
  expect(JSON.stringify(body)).not.toMatch(/sesame|5550147/);
});

test('a hundred deliveries whose workers are killed are all made, each once', async () => {
  const { company } = await app.createCompany();
  const number = await createTestNumber(app, company.id);
  const ctx = systemCtx(app.services, company.id, notifier);
  const { id } = await ctx.transaction((t) =>
    addDestination(t, 'bell', {
      ...{ name: 'Desk', status: 'inactive', config: { tone: 'ding' }, secret: null },
      rules: [deliveryRule.parse({ event: 'call.missed' })],
    }),
  );
  // As if a worker had taken half of them and ended, and the jobs of the others were lost.
  await app.services.db.pool.query(
    `with calls as (insert into call (company_id, number_id, outbound, carrier, from_number,
        to_number, party, started_at, ended_at, outcome)
      select $1, $2, false, 'scripted', '+12125550147', $3, '+12125550147', $4, $4, 2
      from generate_series(1, 100) returning id),
    active as (update destination set status = 'active' where id = $5)
    insert into delivery (company_id, destination_id, event, subject_type, subject_id, number_id, rule,
      dedupe_key, next_try_at, claimed_until, happened_at, created_at)
    select $1, $5, 'call.missed', 'call', id, $2, '{"event":"call.missed"}', id::text, $4,
      case when id % 2 = 0 then $4::timestamptz + interval '2 minutes' end, $4, $4 from calls`,
    [company.id, number.id, number.number, app.clock.value, id],
  );
  for (let n = 0; n < 3; n++) {
    app.clock.advance(61);
    await app.drainJobs();
  }
  expect(rung).toHaveLength(100);
});
