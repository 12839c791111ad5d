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
    ids.set(key, person.id);
  }
  return (key) => ids.get(key)!;
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
