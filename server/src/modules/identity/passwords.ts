import { hash, verify } from '@node-rs/argon2';
import { createConcurrencyLimit } from '../../platform/concurrency-limit.ts';

// A hash takes tens of milliseconds, 19 MB and one of libuv's four threads, which files and DNS
// need, too.
const hashingQueue = createConcurrencyLimit({ slots: 2, waiting: 500 });

// Verified when the address is unknown, so that timing doesn't tell who has an account.
const decoyHash = hash('nobody has this password');

/**
 * The argon2id hash to store. Don't call it inside a transaction: it would block the connection.
 */
export const hashPassword = (password: string): Promise<string> =>
  hashingQueue.run(null, () => hash(password));

/** True when the password matches. Without a hash (unknown person, or one without a password): false, after the same time. */
export const verifyPassword = (
  passwordHash: string | null | undefined,
  password: string,
): Promise<boolean> =>
  hashingQueue.run(
    null,
    async () =>
      (await verify(passwordHash ?? (await decoyHash), password).catch(() => false)) &&
      passwordHash != null,
  );
