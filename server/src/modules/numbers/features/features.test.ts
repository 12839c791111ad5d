import { expect, test } from 'vitest';
import { accessTokens, companies, features as contract, settings, tenant } from '#contract';
import { endpoints } from '#contract/catalogue';
import {
  endpointsOfFeature,
  featureNames,
  features,
  type FeatureName,
} from '#contract/numbers/features/rules';
import { createCallHarness, createTestNumber } from '../../../../test/support/call-harness.ts';
import { multipartForm } from '../../../../test/support/samples.ts';
import type { TestPerson } from '../../../../test/support/test-app.ts';

const harness = await createCallHarness();
const app = harness.world;

const turn = (who: TestPerson, featureName: FeatureName, enabled: boolean, more: object = {}) =>
  app.as(who).request(contract.setCompanyFeature, {
    params: { companyId: who.companyId, featureName },
    body: { enabled, ...more },
  });
const isOn = async (who: TestPerson, feature: FeatureName) =>
  (
    await app
      .as(who)
      .request(contract.listCompanyFeatures, { params: { companyId: who.companyId } })
  ).body.data.find((one) => one.feature === feature)!.enabled;

/** Two companies of one organization, its administrator, and a company outside. */
async function organization() {
  const [a, b, outside] = [
    await app.createCompany(),
    await app.createCompany(),
    await app.createCompany(),
  ];
  const { rows } = await app.services.db.pool.query(
    `insert into organization (name, slug) values ('Group', $1) returning id`,
    [`features-${a.company.id}`],
  );
  const { id } = rows[0];
  await app.services.db.pool.query('update company set organization_id = $1 where id = any($2)', [
    id,
    [a.company.id, b.company.id],
  ]);
  await app.services.db.pool.query(
    'insert into organization_admin (organization_id, user_id) values ($1, $2)',
    [id, outside.owner.id],
  );
  const turnAll = (featureName: FeatureName, enabled: boolean, query: object = {}) =>
    app.as(outside.owner).request(contract.setOrganizationFeature, {
      params: { organizationId: id, featureName },
      query,
      body: { enabled },
    });
  return { id, a, b, outside, turnAll };
}

/** What shows that a feature is off, beside the endpoints that are refused. */
const shownBelow: readonly FeatureName[] = [
  'call-recording',
  'call-transcription',
  'mms',
  'links-in-messages',
  'api-access',
  // In settings-in-calls.test.ts and attribution.test.ts.
  'spam-screening',
  'multi-touch-attribution',
];

test('each of the 22 names refuses endpoints, is shown below, or is said to come', () => {
  expect(featureNames).toHaveLength(22);
  const acts = featureNames.filter((name) => endpointsOfFeature[name] || shownBelow.includes(name));
  const upcoming = featureNames.filter((name) => 'upcoming' in features[name]);
  expect([...acts, ...upcoming].toSorted()).toEqual([...featureNames].toSorted());
  const known = new Set(endpoints.map(({ name }) => name));
  const unknown = Object.values(endpointsOfFeature)
    .flat()
    .filter((name) => !known.has(name));
  expect(unknown).toEqual([]);
});

test('calls are recorded and transcribed only while that is on, whatever their number says', async () => {
  const { owner } = await app.createCompany();
  const line = await createTestNumber(app, owner.companyId, {
    record: true,
    transcribe: true,
    routes: [{ type: 'standard', to: ['+14155550188'] }],
  });
  const answered = async () => {
    const call = harness.aCall(line.number);
    await call.tell(call.inbound);
    const [leg] = harness.commands(call, 'createLeg');
    await call.says(leg!.leg, { type: 'legAnswered' });
    const { rows } = await app.services.db.pool.query('select transcribe from call where id = $1', [
      await call.id(),
    ]);
    const recorded = harness.commands(call, 'startRecording').length > 0;
    return { recorded, transcribe: rows[0].transcribe };
  };
  expect(await answered()).toEqual({ recorded: true, transcribe: true });
  await turn(owner, 'call-transcription', false);
  expect(await answered()).toEqual({ recorded: true, transcribe: false });
  await turn(owner, 'call-recording', false);
  expect(await answered()).toEqual({ recorded: false, transcribe: false });
  await turn(owner, 'call-recording', true);
  expect((await answered()).recorded).toBe(true);
});

test('links, pictures and texts are refused while they are off', async () => {
  const { owner } = await app.createCompany();
  const line = await createTestNumber(app, owner.companyId, {});
  const send = (message: string) =>
    app.as(owner).inject({
      method: 'POST',
      url: '/api/message',
      payload: { companyId: owner.companyId, numberId: line.id, to: '+12125550133', message },
    });
  await turn(owner, 'links-in-messages', false);
  const link = await send('See https://example.com');
  expect([link.status, link.body.code]).toEqual([403, 'feature.off']);
  expect((await send('Without')).status).not.toBe(403);
  await turn(owner, 'mms', false);
  const picture = await app.as(owner).inject({
    method: 'POST',
    url: '/api/message',
    ...multipartForm(
      {
        companyId: String(owner.companyId),
        numberId: String(line.id),
        to: '+12125550133',
        message: 'Look',
      },
      { field: 'media[]', name: 'a.png', type: 'image/png', bytes: 'png' },
    ),
  });
  expect(picture.body.code).toBe('feature.off');
  await turn(owner, 'sms', false);
  expect((await send('Without')).body.code).toBe('feature.off');
});

test('keys are refused while API access is off, and work again afterwards', async () => {
  const { owner } = await app.createCompany();
  const { body } = await app.as(owner).request(accessTokens.createPersonalAccessToken, {
    body: { company_id: owner.companyId, name: 'Key', scopes: ['read'] },
  });
  const key = body.data.plain_text_token;
  const read = () =>
    app.as({ ...owner, token: key }).request(companies.getCompany, {
      params: { id: owner.companyId },
    });
  expect((await read()).status).toBe(200);
  await turn(owner, 'api-access', false);
  expect((await read()).body).toMatchObject({ status: 403, code: 'feature.off' });
  expect(await isOn(owner, 'api-access')).toBe(false);
  await turn(owner, 'api-access', true);
  expect((await read()).status).toBe(200);
});

test('an organization decides for its companies, one of them for itself, and no one for others', async () => {
  const { a, b, outside, turnAll } = await organization();
  expect((await turnAll('fax', false)).body.data.companies).toEqual([
    { id: a.company.id, enabled: false },
    { id: b.company.id, enabled: false },
  ]);
  expect((await turn(a.owner, 'fax', true)).body).toMatchObject({ code: 'feature.organization' });
  expect(await isOn(outside.owner, 'fax')).toBe(true);
  // An exception for one, which that company can only give up.
  const foreign = await turnAll('fax', true, { companyIds: [b.company.id, outside.company.id] });
  expect(foreign.status).toBe(404);
  const only = await turnAll('fax', true, { companyIds: [b.company.id] });
  expect(only.body.data.companies).toEqual([{ id: b.company.id, enabled: true }]);
  expect([await isOn(a.owner, 'fax'), await isOn(b.owner, 'fax')]).toEqual([false, true]);
  await turn(b.owner, 'fax', false);
  expect((await turn(b.owner, 'fax', true)).status).toBe(403);
  await turnAll('fax', true);
  expect([await isOn(a.owner, 'fax'), await isOn(b.owner, 'fax')]).toEqual([true, true]);
  // A company that joins later follows.
  await turnAll('campaigns', false);
  expect((await turn(outside.owner, 'campaigns', false)).status).toBe(200);
  expect((await turn({ ...outside.owner, companyId: a.company.id }, 'sms', false)).status).toBe(
    200,
  );
  expect((await turn({ ...b.owner, companyId: a.company.id }, 'sms', true)).status).toBe(404);
});

test('turning it on for existing numbers changes those that lack it, and says how many', async () => {
  const { owner } = await app.createCompany();
  const other = await app.createCompany();
  for (const record of [false, false, true])
    await createTestNumber(app, owner.companyId, { record });
  await createTestNumber(app, other.company.id, {});
  const { body } = await turn(owner, 'call-recording', true, { enableForExistingNumbers: true });
  expect(body.data.applied_numbers).toBe(2);
  const { rows } = await app.services.db.pool.query(
    'select company_id, count(*) filter (where record)::int n from number where company_id = any($1) group by 1 order by 1',
    [[owner.companyId, other.company.id]],
  );
  expect(rows.map((row) => row.n)).toEqual([3, 0]);
  const off = await turn(owner, 'call-recording', false, { enableForExistingNumbers: true });
  expect(off.body.data.applied_numbers).toBe(0);
});

test('it is audited, in the history, and live; staff who only read can’t', async () => {
  const { owner } = await app.createCompany();
  await turn(owner, 'fax', false);
  const { rows } = await app.services.db.pool.query(
    `select action, after from audit_log where company_id = $1 and actor_id = $2`,
    [owner.companyId, owner.id],
  );
  expect(rows).toContainEqual({ action: 'settings.updated', after: { 'feature.fax': false } });
  const history = await app.as(owner).request(settings.listSettingChanges, {
    query: { company_id: owner.companyId, key: 'feature.fax' },
  });
  expect(history.body.data).toHaveLength(1);
  const { rows: events } = await app.services.db.pool.query(
    `select data from outbox where company_id = $1 and event = 'settings.changed'`,
    [owner.companyId],
  );
  expect(events.at(-1).data.keys).toEqual(['feature.fax']);
  const reader = { ...(await app.createStaff('reads')), companyId: owner.companyId };
  const refused = await app.as(reader).request(contract.setCompanyFeature, {
    params: { companyId: owner.companyId, featureName: 'fax' },
    body: { enabled: true },
    headers: { isadmin: 'true' },
  });
  expect(refused.status).toBe(403);
  expect(await isOn(owner, 'fax')).toBe(false);
});

test('campaigns that are being sent pause when campaigns are turned off', async () => {
  const { owner } = await app.createCompany();
  const line = await createTestNumber(app, owner.companyId, {});
  const { rows } = await app.services.db.pool.query(
    `insert into campaign (company_id, title, text, number_id, state, created_at, updated_at)
      values ($1, 'Sale', 'Hi', $2, 'sending', now(), now()) returning id`,
    [owner.companyId, line.id],
  );
  await turn(owner, 'campaigns', false);
  await app.drainJobs();
  const { rows: after } = await app.services.db.pool.query(
    'select state, paused_reason from campaign where id = $1',
    [rows[0].id],
  );
  expect(after[0]).toEqual({ state: 'paused', paused_reason: 'feature_off' });
});

test('a host shows its own brand only while that is on', async () => {
  const { id, turnAll } = await organization();
  const host = `brand-${id}.example.com`;
  const { rows } = await app.services.db.pool.query(
    `insert into tenant (organization_id, name) values ($1, 'Harbor Voice') returning id`,
    [id],
  );
  await app.services.db.pool.query(
    `insert into tenant_domain (tenant_id, domain, app_host, api_host, status, started_at)
      values ($1, 'example.com', $2, $3, 'active', now())`,
    [rows[0].id, host, `api-${host}`],
  );
  const name = async () =>
    (await app.as(null).request(tenant.getTenantConfig, { query: { hostname: host } })).body.data
      .name;
  expect(await name()).toBe('Harbor Voice');
  await turnAll('white-label', false);
  expect(await name()).toBe('Trunkline');
});
