import { beforeEach, describe, expect, test } from 'vitest';
import {
  integrations,
  oauthIntegrations,
  settings,
  slack as contract,
  type BodyIn,
} from '#contract';
import { createCallHarness, createTestNumber } from '../../../../test/support/call-harness.ts';
import { connectAccount } from '../../../../test/support/connect-account.ts';
import type { TestPerson } from '../../../../test/support/test-app.ts';

const { world: app, aCall } = await createCallHarness({ demo: true });

type Config = BodyIn<typeof contract.configureSlack>['config'];
interface Posted {
  channel: string;
  ts: string;
  thread_ts: string | null;
  text: string;
}
/** What arrived in the simulated workspace since the test began, oldest first. */
const posted = async (): Promise<Posted[]> =>
  (
    await app.services.db.pool.query<Posted>(
      'select channel, ts, thread_ts, text from sandbox.slack_message order by id',
    )
  ).rows;
beforeEach(async () => {
  await app.services.db.pool.query('delete from sandbox.slack_message');
});

const paramsOf = (person: TestPerson, id: number) => ({
  params: { companyId: person.companyId, id },
});
const configure = (person: TestPerson, id: number, config: Config, test_channels?: string[]) =>
  app.as(person).request(contract.configureSlack, {
    ...paramsOf(person, id),
    body: { config, ...(test_channels && { test_channels }) },
  });
const channel = (more: object = {}) => ({
  id: 'C0FRONT',
  name: 'front-desk',
  rules: [{ event: 'call.missed' as const }],
  ...more,
});

/** A company whose missed calls are posted, and how someone calls it. */
async function company(config: Omit<Config, 'channels'> & { template?: string } = {}) {
  const {
    company: { id: companyId },
    owner,
  } = await app.createCompany();
  const { number, id: numberId } = await createTestNumber(app, companyId, {
    voicemail: false,
    routes: [{ type: 'standard', to: ['+12065550199'], voicemail: false }],
  });
  const id = await connectAccount(app, owner, 'slackbot');
  const { template, ...more } = config;
  const set = await configure(owner, id, { ...more, channels: [channel({ template })] });
  expect(set.status).toBe(200);
  await app
    .as(owner)
    .request(oauthIntegrations.activateOAuthIntegration, { ...paramsOf(owner, id), body: {} });
  await app.drainJobs();
  await app.services.db.pool.query('delete from sandbox.slack_message');
  const missedCall = async (from?: string): Promise<void> => {
    const call = aCall(number, from);
    await call.tell(call.inbound);
    await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
    await app.drainJobs();
  };
  return { owner, id, number, numberId, missedCall };
}

describe('channels', () => {
  test('of a workspace are listed without archived ones, for those who can connect', async () => {
    const [{ owner }, other] = [await app.createCompany(), await app.createCompany()];
    const id = await connectAccount(app, owner, 'slackbot');
    const list = (person: TestPerson, of = id) =>
      app.as(person).request(contract.listSlackChannels, paramsOf(person, of));
    expect((await list(owner)).body.data).toEqual([
      { id: 'C0FRONT', name: 'front-desk', is_private: false },
      { id: 'C0SALES', name: 'sales', is_private: false },
      { id: 'C0OWNERS', name: 'owners', is_private: true },
    ]);
    expect((await list(other.owner)).status).toBe(404);
    expect((await configure(other.owner, id, { channels: [] })).status).toBe(404);
    const reporting = await app.createPerson(owner.companyId, 'reporting');
    expect((await list(reporting)).status).toBe(403);
    const ads = await connectAccount(app, owner, 'metaads');
    expect((await list(owner, ads)).status, 'of another provider').toBe(404);
  });

  test('get a test message when they are new; one that Slack refuses changes nothing', async () => {
    const { owner } = await app.createCompany();
    const id = await connectAccount(app, owner, 'slackbot');
    const refused = await configure(owner, id, {
      channels: [channel({ id: 'C0OLD', name: 'old' })],
    });
    expect(refused).toMatchObject({
      status: 422,
      body: {
        errors: { 'config.channels.0.id': ['The channel is archived. Choose another one.'] },
      },
    });
    const get = () =>
      app.as(owner).request(oauthIntegrations.getOAuthIntegration, paramsOf(owner, id));
    expect((await get()).body.data.destinations).toEqual([]);
    const saved = await configure(owner, id, { channels: [channel()] });
    expect(saved.body.data.destinations).toMatchObject([{ key: 'C0FRONT', name: '#front-desk' }]);
    expect(await posted()).toMatchObject([
      { channel: 'C0FRONT', text: expect.stringContaining('test message') as string },
    ]);
    await configure(owner, id, { channels: [channel()], mention: 'here' });
    expect(await posted(), 'it is known by now').toHaveLength(1);
    await configure(owner, id, { channels: [channel()] }, ['C0FRONT']);
    expect(await posted(), 'asked for').toHaveLength(2);
    const twice = await configure(owner, id, { channels: [channel(), channel()] });
    expect(twice.status).toBe(422);
  });
});

describe('a missed call', () => {
  test('is posted with who called, which line and how it ended, and a link; no recording', async () => {
    const { owner, id, number, missedCall } = await company();
    await missedCall();
    const [message, ...more] = await posted();
    expect(more).toEqual([]);
    expect(message?.text).toContain('*Missed call from +12125550147*');
    expect(message?.text).toContain(`To: Main line (${number})`);
    expect(message?.text).toContain('Outcome: Missed');
    expect(message?.text).toMatch(/<http[^|]+\/calls\/\d+\|Open in Trunkline>$/);
    expect(message?.text).not.toContain('recording');
    const { data } = (
      await app.as(owner).request(oauthIntegrations.getOAuthIntegration, paramsOf(owner, id))
    ).body;
    expect(data).toMatchObject({ status: 'active', sent_30d: 1 });
    const log = await app.as(owner).request(integrations.listDeliveries, {
      params: { companyId: owner.companyId, destinationId: data.destinations[0]?.id ?? 0 },
    });
    expect(log.body.data[0]).toMatchObject({ state: 'sent', response_code: 200 });
    expect(JSON.stringify(log.body)).not.toMatch(/sbx_|5550147/);
  });

  test('of the same person stands in the thread of the first; another person begins one', async () => {
    const { owner, missedCall } = await company();
    // One after another: a call is told of when its delivery has been named by the receiver.
    const told = async () =>
      (
        await app.services.db.unscoped
          .selectFrom('delivery')
          .select('external_ref')
          .where('company_id', '=', owner.companyId)
          .where('external_ref', 'is not', null)
          .execute()
      ).map(({ external_ref }) => external_ref);
    for (const [n, from] of [undefined, undefined, '+13105550188'].entries()) {
      await missedCall(from);
      await expect.poll(told).toHaveLength(n + 1);
    }
    const refs = await told();
    const [first, second, third] = (await posted()).filter(({ ts }) => refs.includes(ts));
    expect(first?.thread_ts).toBeNull();
    expect(second?.thread_ts).toBe(first?.ts);
    expect(third?.thread_ts).toBeNull();
  });

  test('stands alone where threads are turned off', async () => {
    const { missedCall } = await company({ thread_by_conversation: false });
    await missedCall();
    await missedCall();
    expect((await posted()).map((one) => one.thread_ts)).toEqual([null, null]);
  });

  test('hides who called where the company hides contact details', async () => {
    const { owner, missedCall } = await company();
    await app.as(owner).request(settings.updateGeneralSettings, {
      query: { company_id: owner.companyId },
      body: { mask_contact_details_for_users: true },
    });
    await missedCall();
    const [message] = await posted();
    expect(message?.text).toContain('Missed call from +1•••47');
    expect(message?.text).not.toContain('5550147');
  });

  test('mentions, and has words of one’s own in which nothing is markup', async () => {
    const { missedCall } = await company({
      mention: 'channel',
      template: 'Call back {who} & write {outcome} {unknown}',
    });
    await missedCall();
    expect((await posted())[0]?.text).toBe(
      '<!channel> Call back +12125550147 & write Missed {unknown}',
    );
  });

  test('in quiet hours is posted once they end', async () => {
    const now = app.clock.value;
    const zone = { timeZone: 'America/New_York', hourCycle: 'h23' } as const;
    const at = (hours: number): string =>
      new Intl.DateTimeFormat('en-GB', { ...zone, hour: '2-digit', minute: '2-digit' }).format(
        new Date(now.getTime() + hours * 3_600_000),
      );
    const { owner, id, missedCall } = await company({
      quiet_hours: { from: at(-1), to: at(1) },
    });
    await app.services.db.pool.query('update company set timezone = $1 where id = $2', [
      zone.timeZone,
      owner.companyId,
    ]);
    await missedCall();
    expect(await posted()).toEqual([]);
    const { data } = (
      await app.as(owner).request(oauthIntegrations.getOAuthIntegration, paramsOf(owner, id))
    ).body;
    expect(data.failed_30d, 'waiting is no failure').toBe(0);
    app.clock.advance(3601);
    await app.drainJobs();
    expect(await posted()).toHaveLength(1);
  });

  test('is posted after the token has expired, which is renewed on the way', async () => {
    const { missedCall } = await company();
    app.clock.advance(4000);
    await missedCall();
    expect(await posted()).toHaveLength(1);
  });
});
