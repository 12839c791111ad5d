import { describe, expect, test } from 'vitest';
import { integrations, oauthIntegrations as contract, settings } from '#contract';
import { answerOf, lostAnswer } from '../../../../test/support/account-harness.ts';
import { createConversionHarness, qualified } from '../../../../test/support/conversion-harness.ts';
import type { TestPerson } from '../../../../test/support/test-app.ts';
import type { OutboundRequest } from '../../../gateways/outbound.ts';

interface Details {
  event_time: number;
  user_data: Record<string, unknown>;
  custom_data?: { currency: string; value: number };
}
const { app, asked, meddle, later, counted, shop, edit, why, told } =
  await createConversionHarness<Details>('metaads', { pixel_or_dataset_id: '5301' });
const click = '?fbclid=IwAR0click';

describe('a qualified call after a click', () => {
  test('is one conversion with its value and the moment of the call, and is shown on the call', async () => {
    const { owner, missedCall, visit, number, log } = await shop();
    expect((await visit(click)).swaps[0]?.number).toBe(number);
    const at = Math.floor(app.clock.value.getTime() / 1000);
    const id = await missedCall();
    expect(await why(owner, id)).toMatchObject({
      destination: { provider: 'metaads', label: 'Meta Ads', name: 'Dataset 5301' },
      deliveries: [],
      reason: 'The call isn’t qualified.',
    });
    await edit(owner, id, { qualified: true, value_cents: 12_550 });
    expect(await counted()).toEqual([
      expect.objectContaining({ place: '5301', key: `Lead:${id}`, times: 1 }),
    ]);
    const [{ details } = { details: undefined }] = await counted();
    expect(details?.custom_data).toEqual({ currency: 'USD', value: 125.5 });
    expect((details?.event_time ?? 0) - at).toBeLessThan(5);
    expect(details?.user_data).toEqual({
      fbc: expect.stringMatching(/^fb\.1\.\d{13}\.IwAR0click$/),
    });
    expect(await why(owner, id)).toMatchObject({ reason: null, deliveries: [{ state: 'sent' }] });
    expect(JSON.stringify(await log())).not.toMatch(/5550147|IwAR0click|sbx_/);
  });

  test('stays counted where it is taken back: Meta has no way, and the call says so', async () => {
    const { owner, missedCall, visit } = await shop();
    await visit(click);
    const id = await missedCall();
    await edit(owner, id, { qualified: true });
    await edit(owner, id, { qualified: false });
    const { deliveries } = (await why(owner, id)) ?? {};
    expect(deliveries).toMatchObject([
      { state: 'sent', corrects: null },
      {
        state: 'skipped',
        corrects: deliveries?.[0]?.id,
        error:
          'The call no longer meets the rule. Meta Ads can’t take back a conversion, so it stays counted there.',
      },
    ]);
    expect(await counted()).toHaveLength(1);
    expect(asked.filter(({ url }) => url.endsWith('/events'))).toHaveLength(1);
  });

  test('is never told where it is taken back before the upload, and is where it’s qualified again', async () => {
    const { owner, missedCall, visit } = await shop({}, [{ ...qualified, delay_minutes: 60 }]);
    await visit(click);
    const id = await missedCall();
    await edit(owner, id, { qualified: true });
    await edit(owner, id, { qualified: false });
    await later(3700);
    expect(await counted()).toEqual([]);
    expect((await why(owner, id))?.deliveries).toMatchObject([
      { state: 'skipped', error: 'The call no longer meets the rule.' },
    ]);
    await edit(owner, id, { qualified: true });
    await later(3700);
    expect(await counted()).toHaveLength(1);
  });

  test('that is spam isn’t told', async () => {
    const { owner, missedCall, visit } = await shop();
    await visit(click);
    const id = await missedCall();
    await edit(owner, id, { qualified: true, spam: true });
    expect(await counted()).toEqual([]);
  });
});

describe('a call', () => {
  test('without a click isn’t told, unless phone numbers are', async () => {
    const { owner, missedCall, setUp } = await shop();
    const id = await missedCall();
    await edit(owner, id, { qualified: true });
    expect(await why(owner, id)).toMatchObject({
      deliveries: [],
      reason: 'No click on an ad of Meta Ads led to this call.',
    });
    await setUp({ hash_phone: true });
    const next = await missedCall();
    await edit(owner, next, { qualified: true });
    // Digits with the country, SHA-256 in hex: 12125550148.
    expect((await counted())[0]?.details.user_data).toEqual({
      ph: [expect.stringMatching(/^[0-9a-f]{64}$/)],
    });
  });

  test('is credited by the model of its pool: none where an email was first, half where both count', async () => {
    const { owner, companyId, missedCall, visit } = await shop();
    const { visitorId } = await visit('?utm_source=news&utm_medium=email');
    app.clock.advance(7200);
    await visit(click, { visitorId });
    const id = await missedCall();
    await edit(owner, id, { qualified: true, value_cents: 10_000 });
    expect(await why(owner, id)).toMatchObject({
      deliveries: [],
      reason: 'The attribution model credits another source.',
    });
    await app.services.db.pool.query(
      `update tracking_pool set settings = settings || '{"attributionModel": "linear"}'
       where company_id = $1`,
      [companyId],
    );
    const next = await missedCall();
    await edit(owner, next, { qualified: true, value_cents: 10_000 });
    expect((await counted()).map(({ details }) => details.custom_data?.value)).toEqual([50]);
  });

  test('that no pool decides is credited by the company’s own model', async () => {
    const { owner, companyId, missedCall, visit } = await shop();
    const { visitorId } = await visit('?utm_source=news&utm_medium=email');
    app.clock.advance(7200);
    await visit(click, { visitorId });
    const id = await missedCall();
    const query = (text: string) => app.services.db.pool.query(text, [companyId]);
    await query(`update tracking_match set pool_id = null where company_id = $1`);
    await edit(owner, id, { qualified: true, value_cents: 10_000 });
    expect((await why(owner, id))?.reason).toBe('The attribution model credits another source.');
    const saved = await app.as(owner).request(settings.updateGeneralSettings, {
      query: { companyId },
      body: { attribution_model_default: 'linear' },
    });
    expect(saved.status).toBe(200);
    await edit(owner, id, { qualified: false });
    await edit(owner, id, { qualified: true });
    expect((await counted()).map(({ details }) => details.custom_data?.value)).toEqual([50]);
  });

  test('of another number, source or length is left out, and says why', async () => {
    const { owner, missedCall, visit } = await shop({}, [
      { event: 'call.completed', min_duration: 60 },
    ]);
    await visit(click);
    const id = await missedCall();
    expect((await why(owner, id))?.reason).toBe('The call was shorter than 60 seconds.');
    const { owner: other } = await app.createCompany();
    const foreign = await app.as(other).request(integrations.listCallDeliveries, {
      params: { companyId: other.companyId, callId: id },
    });
    expect(foreign.status).toBe(404);
  });
});

describe('what Meta answers', () => {
  /** A call that is told, with Meta's answer. */
  const isUpload = ({ url }: OutboundRequest): boolean => url.endsWith('/events');
  const errorOf = (code: number, more: object = {}) =>
    answerOf(400, { error: { message: 'm', type: 'OAuthException', code, ...more } });

  test('nothing at all: it is told again under its ID, and counted once', async () => {
    const { log } = await told(click, isUpload, lostAnswer);
    expect((await log())[0]).toMatchObject({ state: 'failed', attempts: 1 });
    meddle(null);
    await later(61);
    expect((await log())[0]).toMatchObject({ state: 'sent', attempts: 2 });
    // The lost one had arrived: Meta counts one of an ID.
    expect((await counted()).map(({ times }) => times)).toEqual([2]);
  });

  test.each([4, 17, 613, 80004])('limit %i: it waits, which is no failed try', async (code) => {
    const { log } = await told(click, isUpload, errorOf(code));
    expect((await log())[0]).toMatchObject({ state: 'queued', attempts: 0 });
    meddle(null);
    await later(90);
    expect((await log())[0]).toMatchObject({ state: 'sent', attempts: 1 });
  });

  test('a dataset that it doesn’t know, or may not use: it says what to do', async () => {
    const unknown = await told(click, isUpload, errorOf(100, { error_subcode: 33 }));
    expect((await unknown.log())[0]).toMatchObject({
      state: 'dead',
      error: 'Meta doesn’t know this dataset, or the account can’t use it. Choose another one.',
      response_excerpt: '{"code":100,"error_subcode":33}',
    });
    const forbidden = await told(click, isUpload, errorOf(200));
    expect((await forbidden.log())[0]?.error).toMatch(/^Meta doesn’t allow it\. Connect/);
    // What was refused wasn't told: the next change tells it.
    meddle(null);
    await edit(forbidden.owner, forbidden.callId, { value_cents: 500 });
    expect(await counted()).toHaveLength(2);
  });

  test('that the app was removed: the account is to be connected again', async () => {
    const { owner, missedCall, visit, account, log } = await shop();
    await visit(click);
    const id = await missedCall();
    await app.services.db.pool.query(`update sandbox.oauth_grant set revoked_at = now()`);
    await edit(owner, id, { qualified: true });
    expect((await log())[0]?.error).toBe('Access has ended. Connect the account again.');
    expect(await account()).toMatchObject({ status: 'expired' });
  });

  test('a call of more than a week ago: it isn’t sent', async () => {
    const { owner, missedCall, visit } = await shop();
    await visit(click);
    const id = await missedCall();
    app.clock.advance(8 * 86_400);
    await edit(owner, id, { qualified: true });
    expect((await why(owner, id))?.deliveries).toMatchObject([
      { state: 'skipped', error: 'Meta takes conversions of the last 7 days only.' },
    ]);
  });
});

test('businesses, ad accounts, datasets and custom conversions are listed, for those who set it up', async () => {
  const { owner, id } = await shop();
  const { owner: other } = await app.createCompany();
  type Kind = 'business-managers' | 'ad-accounts' | 'pixels' | 'conversions' | 'campaigns';
  const look = (person: TestPerson, kind: Kind, parent?: string) =>
    app.as(person).request(contract.lookUpOAuthIntegration, {
      params: { companyId: person.companyId, id, kind },
      query: parent === undefined ? {} : { parent },
    });
  const namesOf = async (...of: [Kind, string?]) =>
    (await look(owner, ...of)).body.data.map(({ name, detail }) => [name, detail]);
  expect(await namesOf('business-managers')).toEqual([['Harbor Dental', null]]);
  expect(await namesOf('ad-accounts', '5100')).toEqual([
    ['Harbor Dental', 'USD'],
    ['Tests', 'USD'],
  ]);
  expect(await namesOf('pixels')).toEqual([
    ['Website', 'Harbor Dental'],
    ['Landing pages', 'Harbor Dental'],
  ]);
  expect(await namesOf('pixels', 'act_5202')).toEqual([]);
  expect(await namesOf('conversions')).toEqual([['Lead from a call', 'Harbor Dental']]);
  expect((await look(owner, 'campaigns')).status).toBe(404);
  expect((await look(other, 'pixels')).status).toBe(404);
});

test('an event with a test code is shown in Events Manager and isn’t counted', async () => {
  const { owner, missedCall, visit } = await shop({ test_event_code: 'TEST123' });
  await visit(click);
  const id = await missedCall();
  await edit(owner, id, { qualified: true });
  expect(await counted()).toEqual([]);
  expect(asked.at(-1)?.body).toContain('"test_event_code":"TEST123"');
});
