import type { TestApp } from './test-app.ts';

/** A passkey of a person, without an authenticator that could use it. Returns its ID. */
export const createFixturePasskey = async (app: TestApp, personId: number): Promise<number> =>
  (
    await app.services.db.unscoped
      .insertInto('passkey')
      .values({
        person_id: personId,
        credential_id: `credential-${personId}`,
        public_key: 'unused',
        counter: 0,
        name: 'Laptop',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
