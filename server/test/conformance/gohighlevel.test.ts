import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { highLevelOAuth } from '../../src/adapters/gohighlevel/oauth.ts';
import { createAccountHarness, lostAnswer } from '../support/account-harness.ts';
import { hasContracts, startContracts } from '../support/vendor-contracts.ts';

/** GoHighLevel's own documents, of its contacts and of its OAuth. */
describe.skipIf(!hasContracts('gohighlevel'))(
  'against GoHighLevel’s documents (VENDOR_CONTRACTS)',
  async () => {
    if (!hasContracts('gohighlevel')) return;
    const contracts = await startContracts(
      'gohighlevel',
      ['apps/contacts.json', 'apps/oauth.json', 'common/common-schemas.json'],
      [
        ...['CreateContactDto', 'UpdateContactDto', 'NotesDTO', 'TagsDTO', 'TextField'],
        'GetAccessCodebodyDto',
      ],
    );
    afterAll(contracts.close);

    test('contacts, notes and tags are found, created and changed as they say', async () => {
      const { app, asked, company, meddle, later } = await createAccountHarness([
        'sandbox.gohighlevel_object',
      ]);
      const { missedCall } = await company(
        'gohighlevel',
        {
          location_id: 'sandbox-main',
          ...{ tags: ['called'], field_map: { tracking_number: 'cfKeyword' } },
        },
        [{ event: 'call.missed' }, { event: 'call.completed' }],
      );
      await missedCall();
      await app.services.db.pool.query(
        `update sandbox.gohighlevel_object set fields = fields - 'customFields' - 'tags'
         where type = 'contact'`,
      );
      await missedCall();
      // A try whose answer was lost: afterwards the note is looked for.
      let times = 0;
      meddle((request, answer) =>
        request.url.endsWith('/notes') && ++times === 1 ? lostAnswer : answer,
      );
      await missedCall();
      await later(61);
      // The documents judge what our double was asked.
      for (const request of asked) await contracts.judge(request);
      expect(contracts.judged.filter(({ violation }) => violation)).toEqual([]);
      const kinds = new Set(
        contracts.judged.map(({ request }) => request.replaceAll(/\/\d{4,}/g, '/{id}')),
      );
      expect([...kinds].toSorted()).toEqual([
        'GET /contacts/search/duplicate',
        'GET /contacts/{id}',
        'GET /contacts/{id}/notes',
        'POST /contacts/',
        'POST /contacts/{id}/notes',
        'POST /contacts/{id}/tags',
        'PUT /contacts/{id}',
        'PUT /contacts/{id}/notes/{id}',
      ]);
    });

    test('a request that they don’t allow is noticed', async () => {
      const before = contracts.judged.length;
      await contracts.judge({
        url: 'https://services.leadconnectorhq.com/contacts/',
        method: 'POST',
        headers: {
          ...{ authorization: 'Bearer x', 'content-type': 'application/json' },
          version: '2021-07-28',
        },
        body: JSON.stringify({ locationId: 'l', nonsense: true }),
      });
      expect(contracts.judged.splice(before)[0]?.violation).not.toBeNull();
    });

    test('tokens are exchanged and renewed as they say; an agency is refused', async () => {
      const tokenOf = (authClass: string): string =>
        `x.${Buffer.from(JSON.stringify({ authClass, authClassId: 'loc1' })).toString('base64url')}.x`;
      const vendor = createServer((request, reply) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          const send = (body: object) =>
            reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
          if (request.url === '/locations/loc1')
            return void send({ location: { id: 'loc1', name: 'Harbor Dental' } });
          const headers = { 'content-type': request.headers['content-type'] ?? '' };
          const url = `https://services.leadconnectorhq.com${request.url}`;
          const body = Buffer.concat(chunks).toString();
          void contracts.judge({ url, method: 'POST', headers, body }).then(() =>
            send({
              ...{ access_token: tokenOf('Location'), refresh_token: 'refresh' },
              ...{ expires_in: 86399, token_type: 'Bearer' },
            }),
          );
        });
      });
      await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve));
      const before = contracts.judged.length;
      const provider = highLevelOAuth({
        ...{ clientId: 'client', clientSecret: 'secret' },
        apiUrl: `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`,
      });
      const granted = await provider.exchangeCode({
        callback: new URLSearchParams({ code: 'code', state: 'state' }),
        state: 'state',
        codeVerifier: 'verifier'.repeat(6),
        redirectUri: 'https://phones.test/callback',
      });
      expect(granted).toMatchObject({ state: 'granted', expiresIn: 86399 });
      expect(await provider.refresh('refresh')).toMatchObject({ state: 'granted' });
      expect(await provider.account(tokenOf('Location'))).toEqual({
        ...{ externalId: 'loc1', name: 'Harbor Dental', email: null },
      });
      await expect(provider.account(tokenOf('Company'))).rejects.toThrow(/not a sub-account/);
      expect(contracts.judged.splice(before).map(({ request }) => request)).toEqual([
        ...['POST /oauth/token', 'POST /oauth/token'],
      ]);
      vendor.close();
    });
  },
);
