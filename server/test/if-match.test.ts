import { describe, expect, test } from 'vitest';
import { campaigns, endpointByName, endpoints, type DescribedEndpoint } from '#contract';
import { createFixtures, requestOk } from './support/fixtures.ts';
import { sendRequest, requestOf } from './support/cross-tenant-probes.ts';
import { toHttpRequest, type EndpointRequest } from './support/endpoint-requests.ts';

/**
 * Every endpoint of the contract that takes `If-Match`: of eight writers with one ETag exactly one
 * wins, and an ETag stays valid while nothing changes.
 */
const fixtures = await createFixtures();
const { app, a, snapshot } = fixtures;
const { owner } = a.people;

/**
 * What the writers of an endpoint send, each something different. `{}`: one write is enough, the
 * second is too late.
 */
const changedTitle: Record<string, (n: number) => object> = {
  updateCompany: (n) => ({ name: `Company ${n}` }),
  updateColumnPreset: (n) => ({ name: `Preset ${n}` }),
  updateContact: (n) => ({ name: `Person ${n}` }),
  updateGroup: (n) => ({ name: `Group ${n}` }),
  updateSmsCampaign: (n) => ({
    campaign: { description: `We remind patients of their appointments, ${n}` },
  }),
  updateNumberTemplate: (n) => ({ name: `Template ${n}` }),
  updateForwardContact: (n) => ({ name: `Desk ${n}` }),
  updateNumber: (n) => ({ label: `Label ${n}` }),
  saveSchedule: (n) => ({
    preset: 4,
    blocks: [{ days: ['mon'], times: [{ start: `0${n}:00`, end: '12:00' }] }],
  }),
  updateGreeting: (n) => ({ name: `Greeting ${n}` }),
  updateGreetingByPost: (n) => ({ name: `Greeting ${n}`, _method: 'PUT' }),
  discardFlowDraft: () => ({}),
  publishFlow: () => ({}),
  restoreFlowVersion: () => ({}),
  saveFlowDraft: (n) => ({
    routes: [{ extension: 1, type: 'voicemail', label: `Route ${n}` }],
    menu: { greeting: null, fallback: null },
  }),
  updateCall: (n) => ({ note: `Note ${n}` }),
  patchCampaign: (n) => ({ title: `Campaign ${n}` }),
  updateCampaign: (n) => ({ title: `Campaign ${n}`, _method: 'PATCH' }),
};
const conditionalEndpoints = endpoints.filter((e) => e.etagOf);
const detailOf = (e: DescribedEndpoint) => endpoints.find((one) => one.name === e.etagOf)!;

async function etagOf(e: DescribedEndpoint, asked: EndpointRequest): Promise<string> {
  const answer = await sendRequest(app, detailOf(e), owner, { params: asked.params, query: {} });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return String(answer.headers['etag']);
}
const sendWrite = (e: DescribedEndpoint, asked: EndpointRequest, n: number, tag: string) => {
  const { form: _, ...rest } = asked;
  const request = toHttpRequest(e, { ...rest, body: changedTitle[e.name]!(n) });
  return app.as(owner).inject({ ...request, headers: { 'if-match': tag } });
};

test('the inputs are listed for each endpoint that takes If-Match', () => {
  expect(conditionalEndpoints.map((e) => e.name).filter((name) => !(name in changedTitle))).toEqual(
    [],
  );
});

describe.each(conditionalEndpoints.map((e) => [e.name, e] as const))('%s', (_, e) => {
  test('of eight writers with one ETag exactly one wins', async () => {
    const asked = await requestOf(fixtures, e, owner);
    const tag = await etagOf(e, asked);
    // Newly signed URLs of files don't change the ETag.
    app.clock.advance(60);
    expect(await etagOf(e, asked)).toBe(tag);
    const answers = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7, 8].map((n) => sendWrite(e, asked, n, tag)),
    );
    const won = answers.filter((one) => one.status < 300);
    expect(
      answers.filter((one) => one.status === 412),
      JSON.stringify(answers.map((one) => [one.status, one.body])),
    ).toHaveLength(7);
    expect(won).toHaveLength(1);
    if (Object.keys(changedTitle[e.name]!(9)).length) {
      expect(
        (await sendWrite(e, asked, 9, `"other", ${await etagOf(e, asked)}`)).status,
      ).toBeLessThan(300);
    }
    await snapshot.restore();
  });
});

test('a write with an Idempotency-Key is compared too', async () => {
  const made = await requestOk<{ id: number }>(app, owner, campaigns.createCampaign, {
    body: { company_id: a.id, title: 'Spring' },
  });
  const asked: EndpointRequest = { params: { id: made.id }, query: {} };
  const tag = await etagOf(endpointByName.get('updateCampaign')!, asked);
  const change = (title: string) =>
    app.as(owner).request(campaigns.updateCampaign, {
      params: { id: made.id },
      body: { title, _method: 'PATCH' },
      headers: { 'if-match': tag, 'idempotency-key': title },
    });
  expect((await change('Summer')).status).toBe(200);
  expect((await change('Autumn')).status).toBe(412);
  // The first response again, although it has changed the campaign.
  expect((await change('Summer')).headers['idempotency-replayed']).toBe('true');
  await snapshot.restore();
});
