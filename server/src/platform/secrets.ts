import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/**
 * Random text (256 bits) for tokens and links, with a prefix that names its kind, so that leak
 * scanners find it.
 */
export const randomToken = (prefix: string) => `${prefix}_${randomBytes(32).toString('base64url')}`;
/** The hash that is stored of a token. Tokens carry 256 random bits, so a plain hash is enough. */
export const hashToken = (token: string) => createHash('sha256').update(token).digest('base64url');
/** HMAC-SHA256 of a text, base64url. */
export const sign = (secret: Buffer, text: string) =>
  createHmac('sha256', secret).update(text).digest('base64url');
/** Compares secrets without telling by its duration where they differ. */
export function constantTimeEqual(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return x.length === y.length && timingSafeEqual(x, y);
}

/**
 * The secrets of this installation, newest first: APP_SECRET, then those of APP_SECRET_PREVIOUS.
 * The newest seals and signs; any of them opens and verifies.
 */
export type KeyRing = readonly [Buffer, ...Buffer[]];

/** A stored value cannot be opened: its secret is unknown, or the value was changed. */
export class UnsealError extends Error {
  override name = 'UnsealError';
}

const knownIds = new WeakMap<Buffer, string>();
/** Identifies a secret in the values it sealed, without revealing it. */
export function keyIdOf(secret: Buffer): string {
  const known = knownIds.get(secret);
  if (known) return known;
  const id = sign(secret, 'id of this key')
    .replace(/[^a-zA-Z0-9]/g, '')
    .slice(0, 8);
  knownIds.set(secret, id);
  return id;
}
/** The key id of values sealed while there was only one secret. */
const UNNAMED_KEY = 'k1';

/** Encrypts with AES-256-GCM and the newest secret; the result begins with the secret's id. */
export function seal(secrets: KeyRing, text: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', secrets[0], iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return [
    keyIdOf(secrets[0]),
    iv.toString('base64url'),
    cipher.getAuthTag().toString('base64url'),
    sealed.toString('base64url'),
  ].join('.');
}

/**
 * Decrypts a text that was sealed with any of the secrets.
 * @throws UnsealError naming what is missing, never the text or a secret
 */
export function unseal(secrets: KeyRing, sealed: string): string {
  const [id = '', iv, tag, text] = sealed.split('.');
  if (!iv || !tag || text === undefined) throw new UnsealError('This is no sealed value');
  const candidates = id === UNNAMED_KEY ? secrets : secrets.filter((key) => keyIdOf(key) === id);
  if (candidates.length === 0)
    throw new UnsealError(
      `Sealed with the secret ${id}, which is neither APP_SECRET nor in APP_SECRET_PREVIOUS (known: ${secrets.map(keyIdOf).join(', ')})`,
    );
  for (const secret of candidates) {
    const decipher = createDecipheriv('aes-256-gcm', secret, Buffer.from(iv, 'base64url'));
    try {
      decipher.setAuthTag(Buffer.from(tag, 'base64url'));
      const start = decipher.update(Buffer.from(text, 'base64url'));
      return Buffer.concat([start, decipher.final()]).toString('utf8');
    } catch {
      // Another secret, or a changed value: told below.
    }
  }
  throw new UnsealError('No secret of this installation opens this value, or it was changed');
}

/** Whether a signature or another text derived from a secret was derived from one of ours. */
export const madeWithOneOf = (
  secrets: KeyRing,
  given: string,
  make: (secret: Buffer) => string,
): boolean => secrets.some((secret) => constantTimeEqual(given, make(secret)));

/**
 * The session cookie's name. Over https it has the prefix that keeps sibling domains and plain http
 * from setting it.
 */
export const sessionCookieName = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? '__Host-trunkline_session' : 'trunkline_session';
