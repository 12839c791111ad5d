import { expect, test } from 'vitest';
import { events } from '#contract';
import { createFixtures, permittedPerson } from '../server/test/support/fixtures.ts';
import { sendRequest, requestOf } from '../server/test/support/cross-tenant-probes.ts';
import {
  externalOnlyEndpoints,
  readsOfObjectsIn,
  readsOf,
  isWrite,
} from './cache-consistency/writes.ts';
import { createComparison } from './cache-consistency/compare.ts';
import { recordTablesRead } from './cache-consistency/tables-read.ts';
import { createClientReplica } from './cache-consistency/client-replica.ts';

/**
 * Cache consistency for every write of the contract: an owner and a user limited to one number hold
 * every response they may read; the owner writes to existing objects, which must succeed; the
 * client's own code applies the events that the server sends to each; then everything the write may
 * have changed is read again and must be equal, unless an event invalidated it. A new endpoint or
 * event is covered automatically.
 */
const fixtures = await createFixtures({ limitUserTo: 'number', demo: false });
const { app, a, snapshot } = fixtures;
const { owner, user: limited } = a.people;
const listen = await recordTablesRead(app.services.settings.databaseUrl!);
const replicas = [
  await createClientReplica(app, listen, owner, 'owner'),
  await createClientReplica(app, listen, limited, 'user', [Number(a.ids.number)]),
];
const { happens, heard, news, touchedSince } = createComparison(app, snapshot, replicas);
const reads = readsOf(a.ids);
const began = app.clock.value;
for (const w of replicas) await w.loadScreens(reads);
const before = replicas.map((w) => w.saveKnown());

/** Writes that are rightly refused here or can't be watched from here, with the reason. */
const refusedHere: Record<string, string> = {
  lookUpNumber: 'nobody to ask is connected; shown by the tests of caller identity',
  acceptOwnershipTransfer: 'only the person it was started for accepts; shown by its tests',
  enterAdminMode: 'only platform staff may; shown by the tests of admin mode',
  endCompanySessions: 'ends the sessions that watch; shown by its tests',
  activateOAuthIntegration: 'nothing is delivered to its provider; shown by its tests',
  replayDeliveries: 'its destination is turned off; shown by the tests of webhooks',
  configureSlack: 'the account is no workspace of Slack; shown by its tests',
  deleteOrganization: 'the organization has its company; shown by the tests of organizations',
  attachOrganizationCompany: 'its administrator owns no company; shown by the same tests',
  removeOrganizationAdmin: 'the person is a user; shown by the same tests',
};
/** Events nobody can receive here, each with its reason. */
const notHere: Record<string, string> = {
  'session-revoked': 'ends the session that would hear it; shown by the tests of the sockets',
  'permissions-changed': 'empties the whole cache; shown by the tests of number visibility',
  'oauth.authorization_changed': 'a person’s consent; shown by the tests of programs',
  'company.status_changed': 'only previewed here; shown by the tests of organizations',
  'company.suspension_changed': 'needs 15 days; shown by the tests of dunning',
  'caddy-billing-usage-updated': 'said on an account’s own channel; shown by the tests of Caddy',
  'mfa.changed': 'a person’s own factors; shown by the tests of second factors',
  'contacts-bulk-progress': 'said of more contacts than stand here; shown by the tests of contacts',
  'contacts-bulk-completed':
    'said of more contacts than stand here; shown by the tests of contacts',
  'update-numbers-progress':
    'said of more numbers than stand here; shown by the tests of many numbers',
  'release-numbers-progress':
    'said of more numbers than stand here; shown by the tests of many numbers',
  'export-progress': 'said of more rows than stand here; shown by the tests of exports',
  'number_template.applied':
    'said when many numbers are bought with a template; shown by the tests of templates',
  'data_group.changed':
    'said to administrators of the organization; shown by the tests of data groups',
  'alert-opened': 'said by checks of the clock; shown by the tests of alerts',
  'records.expired': 'said by the clock, of old records; shown by the tests of what is kept',
  'caller.identified': 'said by a look-up, which is nobody’s write',
  'fax.received': 'needs an outside fax machine; shown by the tests of faxes',
  'carrier.account_changed':
    'said of accounts at real carriers, which nobody has here; shown by the tests of carriers’ accounts',
};

test.each(
  isWrite.filter((e) => !(e.name in refusedHere)).map((e) => [`${e.method} ${e.path}`, e] as const),
)('%s', async (_, e) => {
  try {
    const person = permittedPerson(a, e);
    const asked = await requestOf(fixtures, e, person);
    // What had to be prepared is in the caches before the write.
    const prepared = (await touchedSince(0)).size > 0;
    if (prepared) await app.drainJobs();
    const touched = await touchedSince(0);
    await news();
    const all = [...reads, ...readsOfObjectsIn(e, asked, a.ids)];
    for (const w of replicas) await w.loadScreens(all, touched);
    app.clock.advance(0.2);
    await happens(async () => {
      const answer = await sendRequest(app, e, person, asked);
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    }, all);
  } finally {
    await snapshot.restore();
    for (const back of before) back();
    app.clock.value = began;
  }
});

test('every event with a channel was received', () => {
  expect(
    events
      .filter(
        (e) =>
          e.channel !== null &&
          !heard.has(e.name) &&
          !(e.name in notHere) &&
          !externalOnlyEndpoints.includes(e.name),
      )
      .map((e) => e.name),
  ).toEqual([]);
});
