import { hash, verify } from '@node-rs/argon2';
import { createConcurrencyLimit } from '../../platform/concurrency-limit.ts';

// Each hash takes a core for tens of milliseconds, 19 MB, and one of the four threads that files and look-ups need as well.
const hashingQueue = createConcurrencyLimit({ slots: 2, waiting: 500 });

// Verified against when the address is unknown, so that the time taken does not tell who exists.
const decoyHash = hash('nobody has this password');

/** The argon2id hash to store. Never inside a transaction: it would hold its connection meanwhile. */
export const hashPassword = (password: string): Promise<string> =>
  hashingQueue.run(null, () => hash(password));

/** Is it the password of this hash? Takes as long for nobody (undefined), and answers false. */
export const verifyPassword = (
  passwordHash: string | undefined,
  password: string,
): Promise<boolean> =>
  hashingQueue.run(
    null,
    async () =>
      (await verify(passwordHash ?? (await decoyHash), password).catch(() => false)) &&
      passwordHash !== undefined,
  );
