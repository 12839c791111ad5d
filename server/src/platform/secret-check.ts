import pg from 'pg';
import { constantTimeEqual, madeWithOneOf, sign, unseal, type KeyRing } from './secrets.ts';

/** APP_SECRET is not the one that this database's secrets were sealed with. */
export class SecretMismatchError extends Error {
  override name = 'WrongSecret';
  constructor() {
    super(
      'APP_SECRET isn’t the one this database was set up with, so sealed values can’t be read. Give every process the APP_SECRET of the first start. If it wasn’t set then, use the content of secrets/app-secret in that start’s DATA_DIR. To change it, name the earlier one in APP_SECRET_PREVIOUS',
    );
  }
}

/**
 * Compares APP_SECRET with the one of the first start, which is kept as a signature. When that is
 * one of APP_SECRET_PREVIOUS, the secret was changed on purpose: the new one's signature replaces
 * it. In a database from before this check, a sealed value is opened instead.
 * @param url of a migrated database, as its owner
 * @throws WrongSecret
 */
export async function checkSecret(url: string, secrets: KeyRing): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    const signatureBy = (secret: Buffer) => sign(secret, 'the secret of this installation');
    const signature = signatureBy(secrets[0]);
    const known = async () =>
      (await client.query<{ signature: string }>('select signature from secret_check')).rows[0]
        ?.signature;
    if ((await known()) === undefined) {
      const { rows } = await client.query<{ sealed: string }>(
        'select sip_password_secret as sealed from person where sip_password_secret is not null order by id desc limit 1',
      );
      if (rows[0] && !canUnseal(secrets, rows[0].sealed)) throw new SecretMismatchError();
      // Of several processes that start at once, the first one decides.
      await client.query(
        'insert into secret_check (signature) values ($1) on conflict do nothing',
        [signature],
      );
    }
    const stored = (await known()) ?? '';
    if (constantTimeEqual(stored, signature)) return;
    if (!madeWithOneOf(secrets, stored, signatureBy)) throw new SecretMismatchError();
    await client.query('update secret_check set signature = $1, at = now() where signature = $2', [
      signature,
      stored,
    ]);
  } finally {
    await client.end();
  }
}

function canUnseal(secrets: KeyRing, sealed: string): boolean {
  try {
    unseal(secrets, sealed);
    return true;
  } catch {
    return false;
  }
}
