import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { oauthIntegrations as contract } from '#contract';
import { answerOf, lostAnswer } from '../../../../test/support/account-harness.ts';
import { createConversionHarness } from '../../../../test/support/conversion-harness.ts';
import type { TestPerson } from '../../../../test/support/test-app.ts';
import type { OutboundRequest } from '../../../gateways/outbound.ts';

interface Details {
  MicrosoftClickId: string;
  ConversionTime: string;
  ConversionValue?: number;
}
const { app, asked, meddle, later, counted, shop, edit, why, told } =
  await createConversionHarness<Details>('microsoftads', {
    ...{ customer_id: '251001', account_id: '141002', conversion_goal_name: 'Qualified call' },
  });
const click = '?msclkid=f894f652ea334e739002f7167ab8f8e3';
const isUpload = ({ url }: OutboundRequest): boolean => url.endsWith('/OfflineConversions/Apply');
const isChange = ({ url }: OutboundRequest): boolean =>
  url.endsWith('/OfflineConversionAdjustments/Apply');
const stands = async () => (await counted()).filter(({ taken_back: isGone }) => !isGone);

describe('a qualified call after a click', () => {
  test('is one conversion of the account’s goal, with its value and the moment of the call', async () => {
    const { owner, missedCall, visit, log } = await shop();
    await visit(click);
    const at = app.clock.value.getTime();
    const id = await missedCall();
    await edit(owner, id, { qualified: true, value_cents: 12_550 });
    const [only, ...more] = await counted();
    expect(more).toEqual([]);
    expect(only).toMatchObject({
      ...{ place: '141002/Qualified call', times: 1, taken_back: false },
      details: {
        MicrosoftClickId: 'f894f652ea334e739002f7167ab8f8e3',
        ...{ ConversionValue: 125.5, ConversionCurrencyCode: 'USD' },
      },
    });
    expect(Date.parse(only?.details.ConversionTime ?? '') - at).toBeLessThan(5000);
    // The account whose click it was is named beside the body.
    expect(asked.find(isUpload)?.headers).toMatchObject({
      ...{ customerid: '251001', customeraccountid: '141002', developertoken: 'simulated' },
    });
    expect((await why(owner, id))?.deliveries.map(({ state }) => state)).toEqual(['sent']);
    expect(JSON.stringify(await log())).not.toMatch(/5550147|f894f652|sbx_|simulated/);
  });

  test('follows the call: another value, taken back, and counted anew a second later', async () => {
    const { owner, missedCall, visit } = await shop();
    await visit(click);
    const id = await missedCall();
    await edit(owner, id, { qualified: true, value_cents: 10_000 });
    await edit(owner, id, { value_cents: 20_000 });
    expect((await stands()).map(({ details }) => details.ConversionValue)).toEqual([200]);
    await edit(owner, id, { qualified: false });
    expect(await stands()).toEqual([]);
    expect(asked.filter(isChange).at(-1)?.body).toContain('"AdjustmentType":"Retract"');
    await edit(owner, id, { qualified: true });
    const [first, second, ...more] = await counted();
    expect(more).toEqual([]);
    expect([first?.taken_back, second?.taken_back]).toEqual([true, false]);
    expect(second?.details.ConversionValue).toBe(200);
    const times = [first, second].map((one) => Date.parse(one?.details.ConversionTime ?? ''));
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBe(1000);
    expect((await why(owner, id))?.deliveries.map(({ state }) => state)).toEqual(
      Array.from({ length: 4 }, () => 'sent'),
    );
  });

  test('keeps its click where another one has the credit by now', async () => {
    const { owner, companyId, missedCall, visit } = await shop();
    const { visitorId } = await visit('?msclkid=first');
    app.clock.advance(7200);
    await visit('?msclkid=second', { visitorId });
    const model = (name: string) =>
      app.services.db.pool.query(
        `update tracking_pool set settings = settings || $2 where company_id = $1`,
        [companyId, JSON.stringify({ attributionModel: name })],
      );
    await model('last_touch');
    const id = await missedCall();
    await edit(owner, id, { qualified: true });
    const [{ details } = { details: undefined }] = await counted();
    await model('first_touch');
    await edit(owner, id, { qualified: false });
    expect(await stands()).toEqual([]);
    const told = JSON.parse(asked.findLast(isChange)?.body ?? '') as {
      OfflineConversionAdjustments: { MicrosoftClickId: string }[];
    };
    expect(told.OfflineConversionAdjustments[0]?.MicrosoftClickId).toBe(details?.MicrosoftClickId);
  });

  test('without a click of Microsoft’s isn’t told', async () => {
    const { owner, missedCall, visit } = await shop();
    await visit('?gclid=abc');
    const id = await missedCall();
    await edit(owner, id, { qualified: true });
    expect(await why(owner, id)).toMatchObject({
      deliveries: [],
      reason: 'No click on an ad of Microsoft Ads led to this call.',
    });
  });
});

describe('what Microsoft answers', () => {
  const faultOf = (status: number, Code: number) =>
    answerOf(status, { Type: 'AdApiFaultDetail', Errors: [{ Code, ErrorCode: 'X' }] });

  test('nothing: it is told again as the same conversion, and counted once', async () => {
    const { log } = await told(click, isUpload, lostAnswer);
    expect((await log())[0]).toMatchObject({ state: 'failed', attempts: 1 });
    meddle(null);
    await later(61);
    expect((await log())[0]).toMatchObject({ state: 'sent', attempts: 2 });
    expect((await counted()).map(({ times }) => times)).toEqual([2]);
  });

  test.each([
    [429, 117],
    [400, 117],
  ])('its limit (%i, %i): it waits a minute, which is no failed try', async (status, code) => {
    const { log } = await told(click, isUpload, faultOf(status, code));
    expect((await log())[0]).toMatchObject({ state: 'queued', attempts: 0 });
    meddle(null);
    await later(90);
    expect((await log())[0]).toMatchObject({ state: 'sent', attempts: 1 });
  });

  test('a partial error with status 200: it says what to do, and wasn’t told', async () => {
    const renamed = await shop({ conversion_goal_name: 'Renamed' });
    await renamed.visit(click);
    const id = await renamed.missedCall();
    await edit(renamed.owner, id, { qualified: true });
    expect((await renamed.log())[0]).toMatchObject({
      ...{ state: 'dead', response_code: 200 },
      error: 'Microsoft knows no goal of this name in the account. Choose another one.',
    });
    await renamed.setUp({ conversion_goal_name: 'Phone call' });
    await edit(renamed.owner, id, { value_cents: 500 });
    expect((await stands()).map(({ place }) => place)).toEqual(['141002/Phone call']);
    const other = await shop();
    await other.visit('?msclkid=other-account');
    await edit(other.owner, await other.missedCall(), { qualified: true });
    expect((await other.log())[0]?.error).toBe(
      'Microsoft doesn’t know the click. Choose the account whose ad it was.',
    );
  });

  test('that the goal is new: it waits two hours', async () => {
    const { owner, missedCall, visit, log } = await shop({ conversion_goal_name: 'New goal' });
    await visit(click);
    await edit(owner, await missedCall(), { qualified: true });
    const [waiting] = await log();
    expect(waiting).toMatchObject({ state: 'queued', attempts: 0 });
    expect(
      Date.parse(waiting?.next_try_at ?? '') - app.clock.value.getTime(),
    ).toBeGreaterThanOrEqual(7_200_000);
  });

  test('that the account isn’t this person’s, or access ended: it says what to do', async () => {
    const other = await shop({ account_id: '999' });
    await other.visit(click);
    await edit(other.owner, await other.missedCall(), { qualified: true });
    expect((await other.log())[0]).toMatchObject({
      state: 'dead',
      error: 'Microsoft doesn’t allow it. Connect with a person who can edit this ad account.',
    });
    const { owner, missedCall, visit, account, log } = await shop();
    await visit(click);
    const id = await missedCall();
    app.clock.advance(4000);
    await edit(owner, id, { qualified: true });
    expect((await log())[0]).toMatchObject({ state: 'sent', attempts: 1 });
    await app.services.db.pool.query(`update sandbox.oauth_grant set revoked_at = now()`);
    await edit(owner, id, { qualified: false });
    expect(await account()).toMatchObject({ status: 'expired' });
  });

  test('a call of more than 90 days ago: it isn’t sent', async () => {
    const { owner, missedCall, visit } = await shop();
    await visit(click);
    const id = await missedCall();
    app.clock.advance(91 * 86_400);
    await edit(owner, id, { qualified: true });
    expect((await why(owner, id))?.deliveries).toMatchObject([
      { state: 'skipped', error: 'Microsoft takes conversions of the last 90 days only.' },
    ]);
  });
});

test('ad accounts, goals and campaigns are listed, for those who set it up', async () => {
  const { owner, id } = await shop();
  const { owner: stranger } = await app.createCompany();
  type Kind = 'ad-accounts' | 'conversions' | 'campaigns' | 'pixels';
  const look = (person: TestPerson, kind: Kind, parent?: string) =>
    app.as(person).request(contract.lookUpOAuthIntegration, {
      params: { companyId: person.companyId, id, kind },
      query: parent === undefined ? {} : { parent },
    });
  expect((await look(owner, 'ad-accounts')).body.data).toEqual([
    { id: '251001/141002', name: 'Harbor Dental', detail: 'F100ABCD' },
    { id: '251001/141003', name: 'Harbor Dental, second location', detail: 'F100ABCE' },
  ]);
  expect((await look(owner, 'conversions', '251001/141003')).body.data).toEqual([
    { id: 'Second location call', name: 'Second location call', detail: 'OfflineConversion' },
  ]);
  expect((await look(owner, 'campaigns', '251001/141002')).body.data).toHaveLength(3);
  expect((await look(owner, 'conversions', '1/2')).status).toBe(409);
  expect((await look(owner, 'pixels')).status).toBe(404);
  expect((await look(stranger, 'ad-accounts')).status).toBe(404);
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
      await app.services.db.pool.query('delete from sandbox.conversion');
      const id = await missedCall();
      const now = { qualified: false, value_cents: null as number | null, spam: false };
      for (const one of history) {
        if (one === 'lose')
          meddle((request, real) => (isUpload(request) || isChange(request) ? lostAnswer : real));
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
      const standing = await stands();
      expect(standing).toHaveLength(now.qualified && !now.spam ? 1 : 0);
      if (standing[0] && now.value_cents !== null)
        expect(standing[0].details.ConversionValue).toBe(now.value_cents / 100);
    }),
    { numRuns: 8 },
  );
}, 120_000);
