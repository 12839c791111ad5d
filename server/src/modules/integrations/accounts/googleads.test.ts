import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { integrations, oauthIntegrations as contract } from '#contract';
import { answerOf, lostAnswer } from '../../../../test/support/account-harness.ts';
import { createConversionHarness } from '../../../../test/support/conversion-harness.ts';
import type { TestPerson } from '../../../../test/support/test-app.ts';
import type { OutboundRequest } from '../../../gateways/outbound.ts';

interface Details {
  eventTimestamp: string;
  adIdentifiers?: Record<string, string>;
  userData?: object;
  conversionValue?: number;
}
const { app, asked, meddle, later, counted, shop, edit, why, told } =
  await createConversionHarness<Details>('googleads', {
    customer_id: '111-222-3333',
    login_customer_id: '777-888-9999',
    conversion_actions: [{ rule_id: 0, conversion_action_id: '9002' }],
  });
const deliveriesOf = async (owner: TestPerson, callId: number) =>
  (await why(owner, callId))?.deliveries ?? [];
const click = '?gclid=EAIaIQobClick';
const isUpload = ({ url }: OutboundRequest): boolean => url.endsWith('/events:ingest');
const isStatus = ({ url }: OutboundRequest): boolean => url.includes('requestStatus:retrieve');
const statusOf = (requestStatus: string, reason?: string) =>
  answerOf(200, {
    requestStatusPerDestination: [
      {
        requestStatus,
        ...(reason && { errorInfo: { errorCounts: [{ recordCount: '1', reason }] } }),
      },
    ],
  });

describe('a qualified call after a click', () => {
  test('is one conversion of its action, with its value and the moment of the call', async () => {
    const { owner, missedCall, visit, log } = await shop();
    await visit(click);
    const at = app.clock.value.getTime();
    const id = await missedCall();
    await edit(owner, id, { qualified: true, value_cents: 12_550 });
    const [only, ...more] = await counted();
    expect(more).toEqual([]);
    expect(only).toMatchObject({
      ...{ place: '1112223333/9002', key: String(id), times: 1 },
      details: { adIdentifiers: { gclid: 'EAIaIQobClick' }, conversionValue: 125.5 },
    });
    expect(Date.parse(only?.details.eventTimestamp ?? '') - at).toBeLessThan(5000);
    expect(only?.details.userData).toBeUndefined();
    expect(JSON.parse(asked.find(isUpload)?.body ?? '')).toMatchObject({
      destinations: [{ loginAccount: { accountId: '7778889999' } }],
      events: [{ eventSource: 'PHONE', consent: { adUserData: 'CONSENT_DENIED' } }],
      validateOnly: false,
    });
    // Its status was read afterwards.
    expect(asked.filter(isStatus)).toHaveLength(1);
    expect((await deliveriesOf(owner, id)).map(({ state }) => state)).toEqual(['sent']);
    expect(JSON.stringify(await log())).not.toMatch(/5550147|EAIaIQob|sbx_/);
  });

  test('follows the call: another value, nothing, and its value again, counted once', async () => {
    const { owner, missedCall, visit } = await shop();
    await visit(click);
    const id = await missedCall();
    await edit(owner, id, { qualified: true, value_cents: 10_000 });
    await edit(owner, id, { value_cents: 20_000 });
    expect((await counted())[0]?.details.conversionValue).toBe(200);
    await edit(owner, id, { qualified: false });
    expect((await counted())[0]?.details.conversionValue).toBe(0);
    await edit(owner, id, { qualified: true });
    expect((await counted()).map(({ details }) => details.conversionValue)).toEqual([200]);
    const told = await deliveriesOf(owner, id);
    expect(told.map(({ state }) => state)).toEqual(['sent', 'sent', 'sent', 'sent']);
    expect(told.slice(1).every(({ corrects }) => corrects === told[0]?.id)).toBe(true);
    const transactions = asked
      .filter(isUpload)
      .map(({ body }) => /"transactionId":"(\d+)"/.exec(body)?.[1]);
    expect(new Set(transactions)).toEqual(new Set([String(id)]));
  });

  test('waits for its delay, also to be corrected', async () => {
    const { owner, missedCall, visit } = await shop({ upload_delay_hours: 24 });
    await visit(click);
    const id = await missedCall();
    await edit(owner, id, { qualified: true });
    expect(asked.filter(isUpload)).toEqual([]);
    await later(86_500);
    expect(await counted()).toHaveLength(1);
  });

  test.each([
    ['gbraid', '?gbraid=0AAAAAo'],
    ['wbraid', '?wbraid=CjgKCA'],
  ])('names the click by %s where there is no other', async (name, query) => {
    const { owner, missedCall, visit } = await shop();
    await visit(query);
    const id = await missedCall();
    await edit(owner, id, { qualified: true });
    expect(Object.keys((await counted())[0]?.details.adIdentifiers ?? {})).toEqual([name]);
  });

  test('names the number, hashed, where that is allowed and consent is given', async () => {
    const consent = { ad_user_data: 'GRANTED', ad_personalization: 'DENIED' };
    const { owner, missedCall } = await shop({ enhanced_phone_hash: true, consent });
    const id = await missedCall();
    await edit(owner, id, { qualified: true });
    expect((await counted())[0]?.details.userData).toEqual({
      userIdentifiers: [{ phoneNumber: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    });
    const denied = await shop({ enhanced_phone_hash: true });
    await edit(denied.owner, await denied.missedCall(), { qualified: true });
    expect(await counted()).toHaveLength(1);
  });
});

describe('what Google answers', () => {
  test('that it is still looking: it is asked again, and told once', async () => {
    const { log } = await told(click, isStatus, statusOf('PROCESSING'));
    expect((await log())[0]).toMatchObject({ state: 'queued', attempts: 0 });
    await later(400);
    expect((await log())[0]).toMatchObject({ state: 'queued', attempts: 0 });
    meddle(null);
    await later(400);
    expect((await log())[0]).toMatchObject({ state: 'sent', attempts: 1 });
    expect(asked.filter(isUpload)).toHaveLength(1);
  });

  test.each([
    ['INVALID_GCLID', /^Google doesn’t know the click/],
    ['EVENT_TOO_OLD', /^The call is too old/],
  ])('%s, when it looked: it says what that means', async (reason, text) => {
    const { log } = await told(
      click,
      isStatus,
      statusOf('FAILED', `PROCESSING_ERROR_REASON_${reason}`),
    );
    expect((await log())[0]).toMatchObject({ state: 'dead', error: expect.stringMatching(text) });
  });

  test('nothing: it is told again under its ID, and counted once', async () => {
    const { log } = await told(click, isUpload, lostAnswer);
    expect((await log())[0]).toMatchObject({ state: 'failed', attempts: 1 });
    meddle(null);
    await later(61);
    expect((await log())[0]).toMatchObject({ state: 'sent', attempts: 2 });
    expect(await counted()).toHaveLength(1);
  });

  test('that its quota is used up: it waits, which is no failed try', async () => {
    const { log } = await told(
      click,
      isUpload,
      answerOf(429, { error: { code: 429, status: 'RESOURCE_EXHAUSTED' } }),
    );
    expect((await log())[0]).toMatchObject({ state: 'queued', attempts: 0 });
  });

  test('that the account or the action is another’s: it says what to do', async () => {
    const other = await shop({ customer_id: '999-999-9999' });
    await other.visit(click);
    await edit(other.owner, await other.missedCall(), { qualified: true });
    expect((await other.log())[0]).toMatchObject({
      state: 'dead',
      error: expect.stringMatching(/^Google doesn’t allow it/),
    });
    const renamed = await shop({
      conversion_actions: [{ rule_id: 0, conversion_action_id: '404' }],
    });
    await renamed.visit(click);
    await edit(renamed.owner, await renamed.missedCall(), { qualified: true });
    expect((await renamed.log())[0]?.error).toContain('INVALID_DESTINATION');
    const none = await shop({ conversion_actions: [] });
    await none.visit(click);
    await edit(none.owner, await none.missedCall(), { qualified: true });
    expect((await none.log())[0]?.error).toBe(
      'No conversion is chosen for this rule. Edit the rules.',
    );
  });

  test('that access ended: the account is to be connected again', async () => {
    const { owner, missedCall, visit, account } = await shop();
    await visit(click);
    const id = await missedCall();
    await app.services.db.pool.query(`update sandbox.oauth_grant set revoked_at = now()`);
    await edit(owner, id, { qualified: true });
    expect(await account()).toMatchObject({ status: 'expired' });
  });
});

test('a dry run asks Google whether it would take the newest, and nothing is counted', async () => {
  const { owner, companyId, missedCall, visit, account } = await shop({}, [
    { event: 'call.completed' },
  ]);
  await visit(click);
  await missedCall();
  await app.services.db.pool.query('delete from sandbox.conversion');
  const destinationId = (await account()).destinations[0]?.id ?? 0;
  const dryRun = async () =>
    (
      await app
        .as(owner)
        .request(integrations.dryRunDestination, { params: { companyId, destinationId } })
    ).body.data;
  const found = await dryRun();
  expect(found.receiver).toEqual({
    accepts: true,
    text: 'Google Ads would take the newest of them.',
  });
  expect(asked.at(-1)?.body).toContain('"validateOnly":true');
  expect(JSON.stringify(found)).not.toContain('EAIaIQob');
  expect(await counted()).toEqual([]);
  meddle(() => answerOf(403, { error: { code: 403, status: 'PERMISSION_DENIED' } }));
  expect((await dryRun()).receiver).toMatchObject({ accepts: false });
});

test('customers, campaigns and conversion actions are listed page by page', async () => {
  const { owner, companyId, id } = await shop();
  type Kind = 'accessible-customers' | 'campaigns' | 'conversions';
  const look = async (kind: Kind, parent?: string) =>
    (
      await app.as(owner).request(contract.lookUpOAuthIntegration, {
        params: { companyId, id, kind },
        query: parent === undefined ? {} : { parent },
      })
    ).body.data;
  expect((await look('accessible-customers')).map((one) => one.id)).toEqual([
    ...['111-222-3333', '444-555-6666', '777-888-9999'],
  ]);
  expect((await look('accessible-customers', '777-888-9999')).map(({ name }) => name)).toEqual([
    ...['Harbor Dental', 'Harbor Dental, second location', 'Agency'],
  ]);
  expect(await look('campaigns', '777-888-9999/111-222-3333')).toHaveLength(3);
  expect(await look('conversions', '111-222-3333')).toContainEqual({
    ...{ id: '9002', name: 'Qualified lead', detail: 'Qualified lead' },
  });
});

test('any history of a call, kills and lost answers ends as the call is, counted at most once', async () => {
  const { owner, companyId, missedCall, visit } = await shop();
  await visit(click);
  const step = fc.oneof(
    fc.record({ qualified: fc.boolean() }),
    fc.record({ value_cents: fc.constantFrom(500, 12_550) }),
    fc.record({ spam: fc.boolean() }),
    fc.constant('lose' as const),
    fc.constant('kill' as const),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 7 }), async (history) => {
      const id = await missedCall();
      const now = { qualified: false, value_cents: null as number | null, spam: false };
      for (const one of history) {
        if (one === 'lose') meddle((request, real) => (isUpload(request) ? lostAnswer : real));
        else if (one === 'kill')
          // As if the worker had ended: what it has is claimed, and nothing came of it.
          await app.services.db.pool.query(
            `update delivery set state = 'queued', claimed_until = $2, next_try_at = $3
             where company_id = $1 and state = 'sent'`,
            [companyId, new Date(app.clock.value.getTime() + 120_000), app.clock.value],
          );
        else {
          await edit(owner, id, one);
          Object.assign(now, one);
          meddle(null);
        }
      }
      meddle(null);
      for (let n = 0; n < 4; n++) await later(1000);
      const own = (await counted()).filter(({ key }) => key === String(id));
      expect(own.length).toBeLessThanOrEqual(1);
      const isWanted = now.qualified && !now.spam;
      if (isWanted) {
        expect(own).toHaveLength(1);
        if (now.value_cents !== null)
          expect(own[0]?.details.conversionValue).toBe(now.value_cents / 100);
      } else expect(own[0]?.details.conversionValue ?? 0).toBe(0);
    }),
    { numRuns: 8 },
  );
}, 120_000);
