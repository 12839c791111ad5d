import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { oauthIntegrations } from '#contract';
import { hubspotOAuth } from '../../src/adapters/hubspot/oauth.ts';
import { sandboxOutbound } from '../../src/adapters/sandbox/outbound.ts';
import type { OutboundAnswer } from '../../src/gateways/outbound.ts';
import { startDueReadings } from '../../src/modules/integrations/crm/read-crm.ts';
import { systemCtx } from '../../src/platform/context.ts';
import { createAccountHarness } from '../support/account-harness.ts';
import { createCallHarness, createTestNumber } from '../support/call-harness.ts';
import { connectAccount } from '../support/connect-account.ts';
import { hasContracts, startContracts } from '../support/vendor-contracts.ts';

/** HubSpot's own documents: its API's for contacts and calls, and that of its OAuth. */
describe.skipIf(!hasContracts('hubspot'))(
  'against HubSpot’s documents (VENDOR_CONTRACTS)',
  async () => {
    if (!hasContracts('hubspot')) return;
    const contracts = await startContracts(
      'hubspot',
      ['contacts.json', 'calls.json', 'oauth.json'],
      [
        ...['SimplePublicObjectInputForCreate', 'SimplePublicObjectInput'],
        ...['PublicObjectSearchRequest', 'FilterGroup', 'Filter', 'AssociationSpec'],
        ...['BatchReadInputSimplePublicObjectId', 'SimplePublicObjectId'],
      ],
    );
    afterAll(contracts.close);

    test('contacts and calls are found, created and changed as they say', async () => {
      let answers: OutboundAnswer[] = [];
      const { world: app, aCall } = await createCallHarness({
        demo: true,
        ports: {
          outbound: {
            name: 'sandbox',
            // The document judges, our double keeps state.
            send: async (request) => {
              if (/\/objects\/(contacts|calls)/.test(request.url)) await contracts.judge(request);
              const answer = await sandboxOutbound(app.services).send(request);
              return answers.shift() ?? answer;
            },
          },
        },
      });
      const { company, owner } = await app.createCompany();
      const { number } = await createTestNumber(app, company.id, {
        voicemail: false,
        routes: [{ type: 'standard', to: ['+12065550199'], voicemail: false }],
      });
      const params = { companyId: company.id, id: await connectAccount(app, owner, 'hubspot') };
      await app.as(owner).request(oauthIntegrations.activateOAuthIntegration, {
        params,
        body: {
          config: {
            rules: [{ event: 'call.missed' }, { event: 'call.completed' }],
            field_map: { tracking_number: 'tracking_number' },
            lifecycle_stage: 'lead',
          },
        },
      });
      await app.drainJobs();
      const missedCall = async (): Promise<void> => {
        const call = aCall(number);
        await call.tell(call.inbound);
        await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
        await app.drainJobs();
      };
      await missedCall();
      await app.services.db.pool.query(
        `update sandbox.hubspot_object set properties = properties - 'tracking_number'`,
      );
      await missedCall();
      // A try whose answer was lost: afterwards the call is searched for.
      answers = [{ status: null, error: 'It took too long.' }];
      await missedCall();
      app.clock.advance(61);
      await app.drainJobs();
      expect(contracts.judged.filter(({ violation }) => violation)).toEqual([]);
      const kinds = new Set(
        contracts.judged.map(({ request }) => request.replaceAll(/\/\d{4,}/g, '/{id}')),
      );
      expect([...kinds].toSorted()).toEqual([
        'GET /crm/v3/objects/contacts/{id}',
        'PATCH /crm/v3/objects/calls/{id}',
        'PATCH /crm/v3/objects/contacts/{id}',
        'POST /crm/v3/objects/calls',
        'POST /crm/v3/objects/calls/search',
        'POST /crm/v3/objects/contacts',
        'POST /crm/v3/objects/contacts/batch/read',
        'POST /crm/v3/objects/contacts/search',
      ]);
      await app.close();
    });

    describe('people that are read back', async () => {
      const { app, asked, company } = await createAccountHarness(['sandbox.hubspot_object']);
      // Of owners HubSpot's documents say nothing.
      test('are asked for as they say', async () => {
        const { pool } = app.services.db;
        await company('hubspot', {}, [{ event: 'call.completed' }]);
        // More than a page of one moment, so that the next one is asked for by place.
        await pool.query(
          `insert into sandbox.hubspot_object (portal, type, properties, created_at, updated_at)
           select 'sandbox-main', 'contacts', '{"firstname": "Ann", "hubspot_owner_id": "7101"}', $1, $1
           from generate_series(1, 201)`,
          [app.clock.value],
        );
        app.clock.advance(400);
        await startDueReadings(systemCtx(app.services, 0, app.notifier));
        await app.drainJobs();
        const reads = asked.filter(({ url }) => url.includes('/objects/contacts/'));
        const from = reads.map(({ body }) => JSON.parse(body ?? '{}') as { after?: string });
        expect(from.map(({ after }) => after)).toEqual(['0', '0', '100', '200']);
        const before = contracts.judged.length;
        for (const request of reads) await contracts.judge(request);
        expect(contracts.judged.splice(before)).toEqual(
          reads.map(() => ({ request: 'POST /crm/v3/objects/contacts/search', violation: null })),
        );
      });
    });

    test('a batch of people with a name that they don’t know is noticed', async () => {
      const before = contracts.judged.length;
      await contracts.judge({
        url: 'https://api.hubapi.com/crm/v3/objects/contacts/batch/read',
        method: 'POST',
        headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
        body: JSON.stringify({
          ...{ inputs: [{ id: '1' }], properties: [], propertiesWithHistory: [] },
          nonsense: true,
        }),
      });
      expect(contracts.judged.splice(before)[0]?.violation).not.toBeNull();
    });

    test('a request that they don’t allow is noticed', async () => {
      const before = contracts.judged.length;
      await contracts.judge({
        url: 'https://api.hubapi.com/crm/v3/objects/contacts',
        method: 'POST',
        headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
        body: JSON.stringify({ properties: {}, associations: [], nonsense: true }),
      });
      expect(contracts.judged.splice(before)[0]?.violation).not.toBeNull();
    });

    test('tokens are exchanged, renewed, looked at and revoked as they say', async () => {
      const answers: Record<string, object> = {
        '/oauth/v3/token': {
          ...{ access_token: 'access', refresh_token: 'refresh', expires_in: 1800 },
          token_type: 'bearer',
        },
        '/oauth/v3/token/introspect': {
          ...{ hub_id: 62515, hub_domain: 'harbor.example.com', user: 'ann@harbor.example.com' },
        },
        '/oauth/v3/token/revoke': {},
      };
      let refusal: object | null = null;
      const vendor = createServer((request, reply) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          const path = request.url ?? '';
          const headers = { 'content-type': request.headers['content-type'] ?? '' };
          const body = Buffer.concat(chunks).toString();
          const url = `https://api.hubapi.com${path}`;
          void contracts.judge({ url, method: 'POST', headers, body }).then(() => {
            reply.writeHead(refusal ? 400 : 200, { 'content-type': 'application/json' });
            reply.end(JSON.stringify(refusal ?? answers[path]));
          });
        });
      });
      await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve));
      const before = contracts.judged.length;
      const hubspot = hubspotOAuth({
        clientId: 'client',
        clientSecret: 'secret',
        apiUrl: `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`,
      });
      const granted = await hubspot.exchangeCode({
        callback: new URLSearchParams({ code: 'code', state: 'state' }),
        state: 'state',
        codeVerifier: 'verifier'.repeat(6),
        redirectUri: 'https://phones.test/callback',
      });
      expect(granted).toMatchObject({ state: 'granted', expiresIn: 1800 });
      expect(await hubspot.refresh('refresh')).toMatchObject({ state: 'granted' });
      expect(await hubspot.account('access')).toEqual({
        ...{ externalId: '62515', name: 'harbor.example.com', email: 'ann@harbor.example.com' },
      });
      await hubspot.revoke('refresh');
      expect(contracts.judged.splice(before)).toEqual(
        ['', '', '/introspect', '/revoke'].map((path) => ({
          request: `POST /oauth/v3/token${path}`,
          violation: null,
        })),
      );
      // Its own form of errors, old and new: the app was removed from the account.
      for (const said of [
        { status: 'BAD_REFRESH_TOKEN', message: 'missing or invalid refresh token' },
        { category: 'VALIDATION_ERROR', message: 'Invalid refresh token', correlationId: 'x' },
        { error: 'invalid_grant', error_description: 'revoked' },
      ]) {
        refusal = said;
        expect(await hubspot.refresh('refresh')).toMatchObject({
          ...{ state: 'refused', code: 'invalid_grant' },
        });
      }
      vendor.close();
    });
  },
);
