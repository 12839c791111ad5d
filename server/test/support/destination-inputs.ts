import { randomUUID } from 'node:crypto';
import { oauthIntegrations } from '#contract';
import { seal } from '../../src/platform/secrets.ts';
import type { InputContext } from './endpoint-inputs.ts';
import type { TestApp } from './test-app.ts';

const dealer = { id: '1', name: 'Harbor', phone: '', email: '' };
const configs = {
  adf: { to: ['leads@crm.example.com'], dealer },
  ga4: { measurementId: 'G-ABC123DEF4' },
  webhooks: { url: 'https://crm.example.com/hooks' },
};
/** An integration that is turned off, so that no request of a test is delivered. */
const insertDestination = async (
  app: TestApp,
  companyId: number,
  provider: keyof typeof configs = 'adf',
): Promise<number> =>
  (
    await app.services.db.systemTransaction((tx) =>
      tx
        .insertInto('destination')
        .values({
          company_id: companyId,
          provider,
          name: 'Dealer CRM',
          status: 'inactive',
          config: JSON.stringify(configs[provider]),
          created_at: app.clock.value,
          updated_at: app.clock.value,
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
  ).id;

/** A destination, and something that was delivered to it. */
export async function createDestinationFixtures(
  app: TestApp,
  companyId: number,
  { callId, numberId }: { callId: number; numberId: number },
) {
  const destination = await insertDestination(app, companyId);
  const analytics = await insertDestination(app, companyId, 'ga4');
  const webhook = await insertDestination(app, companyId, 'webhooks');
  return {
    destination,
    analytics,
    webhook,
    delivery: await insertDelivery(app, companyId, destination, { callId, numberId }),
  };
}

const insertDelivery = async (
  app: TestApp,
  companyId: number,
  destinationId: number,
  { callId, numberId }: { callId: number; numberId: number },
): Promise<number> =>
  (
    await app.services.db.systemTransaction((tx) =>
      tx
        .insertInto('delivery')
        .values({
          company_id: companyId,
          destination_id: destinationId,
          event: 'call.completed',
          subject_type: 'call',
          subject_id: callId,
          number_id: numberId,
          rule: JSON.stringify({ event: 'call.completed' }),
          dedupe_key: `call:${callId}`,
          state: 'sent',
          next_try_at: app.clock.value,
          happened_at: app.clock.value,
          created_at: app.clock.value,
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
  ).id;

/** One that no other request has removed. */
const freshDestination = async (s: InputContext) => ({
  params: { id: await insertDestination(s.app, s.company.id) },
});
/** Removes those that other requests have added. */
const removeOthers = (s: InputContext) =>
  s.app.services.db.systemTransaction((tx) =>
    tx
      .deleteFrom('destination')
      .where('company_id', '=', s.company.id)
      .where('id', 'not in', [
        Number(s.fixtureIds.destination),
        Number(s.fixtureIds.analytics),
        Number(s.fixtureIds.webhook),
      ])
      .execute(),
  );
/** Nothing that happens meanwhile is delivered. */
const off = { status: 'inactive' as const };

/** An account that is connected, though its provider isn't set up here. */
const connectedAccount = async (s: InputContext): Promise<number> =>
  (
    await s.app.services.db.systemTransaction((tx) =>
      tx
        .insertInto('connection')
        .values({
          company_id: s.company.id,
          // Not set up in any test, so that nothing is asked.
          provider: 'gohighlevel',
          external_id: randomUUID(),
          account_name: 'harbor.example.com',
          status: 'connected',
          tokens_sealed: seal(
            s.app.services.settings.appSecrets,
            JSON.stringify({ access: 'simulated', refresh: null }),
          ),
          created_at: s.app.clock.value,
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
  ).id;
const freshAccount = async (s: InputContext) => ({ params: { id: await connectedAccount(s) } });

/** What the endpoints of integrations need beyond their examples. */
export const destinationInputs = {
  removeOAuthIntegration: freshAccount,
  syncOAuthIntegration: freshAccount,
  oauthSyncProgress: async (s: InputContext) => {
    const id = await connectedAccount(s);
    const { body } = await s.app
      .as(s.company.people.owner)
      .request(oauthIntegrations.syncOAuthIntegration, {
        params: { companyId: s.company.id, id },
      });
    return { params: { batchId: body.data.batchId } };
  },
  deleteAdfIntegration: freshDestination,
  // Others' requests have added as many as there can be.
  createAdfIntegration: async (s: InputContext) => {
    await removeOthers(s);
    return { body: off };
  },
  updateAdfIntegration: () => ({ body: off }),
  deleteWebhook: async (s: InputContext) => ({
    params: { id: await insertDestination(s.app, s.company.id, 'webhooks') },
  }),
  createWebhook: async (s: InputContext) => {
    await removeOthers(s);
    return { body: off };
  },
  updateWebhook: () => ({ body: off }),
  deleteGa4Integration: async (s: InputContext) => ({
    params: { id: await insertDestination(s.app, s.company.id, 'ga4') },
  }),
  createGa4Integration: async (s: InputContext) => {
    await removeOthers(s);
    return { body: { enabled: false } };
  },
  updateGa4Integration: () => ({ body: { enabled: false } }),
};

/** Their correct refusals. */
export const destinationRuleErrors = {
  replayDeliveries: {
    code: 'integration.off',
    because: 'the destination is turned off',
    shownBy: 'integrations/webhooks/webhooks',
  },
  activateOAuthIntegration: {
    code: 'integration.reconnect',
    because: 'access to the account has ended',
    shownBy: 'integrations/accounts/accounts',
  },
  ...Object.fromEntries(
    ['listSlackChannels', 'configureSlack'].map((name) => [
      name,
      {
        code: 'not_found',
        because: 'the account is no workspace of Slack',
        shownBy: 'integrations/slack/slack',
      },
    ]),
  ),
  lookUpOAuthIntegration: {
    code: 'integration.no_lookup',
    because: 'the provider of the account has no such list',
    shownBy: 'integrations/accounts/accounts',
  },
};
