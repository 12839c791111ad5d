import { pino } from 'pino';
import { expect, test } from 'vitest';
import { adf, archive, audit, ga4, integrations, oauthIntegrations, slack } from '#contract';
import { createCallHarness, createTestNumber } from '../../../test/support/call-harness.ts';
import { connectAccount } from '../../../test/support/connect-account.ts';
import type { OutboundRequest } from '../../gateways/outbound.ts';
import { entriesOf } from '../../../test/support/zip-entries.ts';
import { unseal } from '../../platform/secrets.ts';

/** A receiver that refuses everything and shows the whole request, keys included. */
const asked: OutboundRequest[] = [];
const { world: app, aCall } = await createCallHarness({
  demo: true,
  env: { CODES_PER_HOUR: '1000' },
  ports: {
    outbound: {
      name: 'public',
      send: async (request) => {
        asked.push(request);
        const body = `You sent ${JSON.stringify(request.headers)} to ${request.url}`;
        return { status: 500, body, retryAfterSeconds: null };
      },
    },
  },
});

/** Names of the tables, audit log and queues included, that have a row with this pattern in it. */
async function tablesWith(pattern: string): Promise<string[]> {
  const { pool } = app.services.db;
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')
        and has_schema_privilege(schemaname, 'usage')
        and has_table_privilege(format('%I.%I', schemaname, tablename), 'select')`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pool.query<{ n: number }>(
      `select count(*)::int n from ${name} t where t::text ~ $1`,
      [pattern],
    );
    if (rows[0]?.n) found.push(name);
  }
  return found;
}

/** Everything that is logged from now on, at the finest level. */
const lines: string[] = [];
Object.assign(app.services.log, {
  [pino.symbols.streamSym]: { write: (line: string) => void lines.push(line) },
});
app.services.log.level = 'trace';

test('keys and tokens of integrations are in no answer, log, archive or row', async () => {
  const { company, owner } = await app.createCompany();
  const params = { companyId: company.id };
  const as = app.as(owner);
  const { number } = await createTestNumber(app, company.id, {
    voicemail: false,
    routes: [{ type: 'standard', to: ['+12065550199'], voicemail: false }],
  });
  const [token, apiSecret] = ['bearer-sesame-1-wxyz', 'analytics-sesame-2-wxyz'];
  const crm = await as.request(adf.createAdfIntegration, {
    params,
    body: {
      ...{ name: 'CRM', delivery: 'https', url: 'https://crm.example.com/leads' },
      auth: { type: 'bearer', token },
      dealer: { id: '1', name: 'Harbor', phone: '', email: '' },
      rules: [{ event: 'call.missed' }],
    },
  });
  const property = await as.request(ga4.createGa4Integration, {
    params,
    body: {
      ...{ name: 'Website', measurementId: 'G-ABC123DEF4', apiSecret },
      events: [{ trigger: 'call.missed' }],
    },
  });
  const id = await connectAccount(app, owner, 'slackbot');
  const config = {
    channels: [{ id: 'C0FRONT', name: 'front-desk', rules: [{ event: 'call.missed' as const }] }],
  };
  await as.request(slack.configureSlack, {
    params: { ...params, id },
    body: { config, test_channels: [] },
  });
  await app.services.db.pool.query(
    `update destination set status = 'active' where connection_id = $1`,
    [id],
  );
  const hubspot = await connectAccount(app, owner, 'hubspot');
  await as.request(oauthIntegrations.activateOAuthIntegration, {
    params: { ...params, id: hubspot },
    body: { config: { rules: [{ event: 'call.missed' }] } },
  });
  await app.drainJobs();
  const connected = await app.services.db.pool.query<{ tokens_sealed: string }>(
    'select tokens_sealed from connection where id = any($1::bigint[])',
    [[id, hubspot]],
  );
  const tokens = connected.rows.map(
    (row) =>
      JSON.parse(unseal(app.services.settings.appSecrets, row.tokens_sealed)) as {
        access: string;
        refresh: string;
      },
  );

  const call = aCall(number);
  await call.tell(call.inbound);
  await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
  await app.drainJobs();
  // Each receiver was sent its key; otherwise nothing is shown by not finding it.
  const sent = JSON.stringify(asked);
  const keys = [token, apiSecret, ...tokens.map(({ access }) => access)];
  for (const secret of keys) expect(sent).toContain(secret);
  const secrets = [...keys, ...tokens.map(({ refresh }) => refresh)];

  const begun = await as.request(archive.startArchive, {
    params,
    body: { password: 'trunkline-demo' },
  });
  expect(begun.status).toBe(202);
  await app.drainJobs();
  const ids = [crm.body.data.id, property.body.data.id];
  const channels = await as.request(oauthIntegrations.listOAuthIntegrations, { params });
  ids.push(...channels.body.data.flatMap((one) => one.destinations.map((place) => place.id)));
  expect(ids).toHaveLength(4);
  const answers = [
    ...[crm.body, property.body, channels.body],
    (await as.request(adf.listAdfIntegrations, { params })).body,
    (await as.request(ga4.listGa4Integrations, { params })).body,
    (await as.request(audit.listAuditLog, { params })).body,
  ];
  for (const destinationId of ids) {
    const at = { params: { ...params, destinationId } };
    const { body } = await as.request(integrations.listDeliveries, at);
    // What the receiver says is kept, without what it repeats.
    expect(body.data[0]?.response_excerpt).toMatch(/^You sent .*•••|^{"category":""/);
    answers.push(
      body as never,
      (await as.request(integrations.dryRunDestination, at)).body as never,
    );
  }
  // The scan finds what is stored; keys aren't.
  expect((await tablesWith('You sent ')).toSorted()).toEqual([
    'public.delivery',
    'public.delivery_attempt',
  ]);
  expect(await tablesWith(secrets.join('|'))).toEqual([]);
  for (const secret of secrets) expect(JSON.stringify(answers)).not.toContain(secret);
  app.services.log.warn('the log is read');
  expect(lines.join('')).toContain('the log is read');
  for (const secret of secrets) expect(lines.join('')).not.toContain(secret);
  const archives = await as.request(archive.listArchives, { params });
  const { rawPayload } = await app.server.inject({
    method: 'GET',
    url: archives.body.data[0]?.url ?? '',
    headers: { authorization: `Bearer ${owner.token}` },
  });
  const archived = Buffer.concat([...(await entriesOf(rawPayload)).values()]).toString();
  // What is entered by hand goes with the company. Places of a connected account stay with it.
  expect(archived).toContain('crm.example.com');
  expect(archived).not.toContain('front-desk');
  for (const secret of secrets) expect(archived).not.toContain(secret);
});
