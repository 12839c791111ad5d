import { hash } from '@node-rs/argon2';
import { insertMembership } from '../src/modules/companies/index.ts';
import { createSipCredentials } from '../src/modules/identity/index.ts';
import type { Services } from '../src/platform/context.ts';
import type { Tx } from '../src/platform/db.ts';
import type { SeedNumber } from './demo-rows.ts';

/** The password of every demo user, printed at start and in the README. */
export const DEMO_PASSWORD = 'trunkline-demo';

const people = [
  ['owner', 'Olive', 'Owner'],
  ['administrator', 'Adam', 'Administrator'],
  ['billing', 'Bill', 'Billing'],
  ['reporting', 'Rita', 'Reporting'],
  ['user', 'Una', 'User'],
  ['orgadmin', 'Orla', 'Orgadmin'],
  ['platform', 'Pat', 'Platform'],
] as const;

/** How many hours ago people used the app last; they signed out then. */
const lastSeenHours: Readonly<Record<string, number>> = {
  administrator: 3,
  billing: 51,
  reporting: 22,
  user: 0.7,
  orgadmin: 124,
};

/** A demo user's id by their key. */
export type UserIds = (key: string) => number;

/** A demo user's name by their key. */
export function nameOf(key: string): string {
  const [, first, last] = people.find(([k]) => k === key)!;
  return `${first} ${last}`;
}

/** Creates the people; returns their ids by key. */
export async function seedPeople(services: Services, tx: Tx): Promise<UserIds> {
  const password_hash = await hash(DEMO_PASSWORD);
  const ids = new Map<string, number>();
  for (const [key, first_name, last_name] of people) {
    const person = await tx
      .insertInto('person')
      .values({
        email: `${key}@demo.test`,
        password_hash,
        first_name,
        last_name,
        timezone: key === 'owner' ? 'America/New_York' : null,
        is_staff: key === 'platform',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await createSipCredentials(
      tx,
      services.settings.appSecrets,
      person,
      new URL(services.settings.publicUrl).hostname,
    );
    const hours = lastSeenHours[key];
    if (hours !== undefined) await seedEarlierSession(tx, person.id, hours);
    ids.set(key, person.id);
  }
  return (key) => ids.get(key)!;
}

/** A session that has ended, so that people don't look as if they had never signed in. */
async function seedEarlierSession(tx: Tx, personId: number, hoursAgo: number): Promise<void> {
  const at = new Date(Date.now() - hoursAgo * 3_600_000);
  await tx
    .insertInto('session')
    .values({
      person_id: personId,
      kind: 'browser',
      created_at: at,
      last_seen_at: at,
      ended_at: at,
    })
    .execute();
}

/** Gives the people their roles in a company; most have one only in the first. */
export async function seedMemberships(
  tx: Tx,
  companyId: number,
  numbers: readonly SeedNumber[],
  { id, isFirst }: { id: UserIds; isFirst: boolean },
): Promise<void> {
  await insertMembership(tx, { company_id: companyId, user_id: id('owner'), role: 'owner' });
  await insertMembership(tx, {
    company_id: companyId,
    user_id: id('administrator'),
    role: 'administrator',
  });
  if (isFirst) {
    await insertMembership(tx, {
      company_id: companyId,
      user_id: id('billing'),
      role: 'billing',
    });
    await insertMembership(tx, {
      company_id: companyId,
      user_id: id('reporting'),
      role: 'reporting',
    });
    await insertMembership(tx, {
      company_id: companyId,
      user_id: id('user'),
      role: 'user',
      number_ids: numbers.slice(0, 3).map((n) => n.id),
    });
  }
}
