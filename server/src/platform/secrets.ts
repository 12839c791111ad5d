import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** Random text for tokens and links, with a prefix that says what it is (and lets leak scanners find it). */
export const randomToken = (prefix: string) => `${prefix}_${randomBytes(32).toString('base64url')}`;
/** What is stored of a token. Tokens carry 256 random bits, so a plain hash is enough. */
export const hashToken = (token: string) => createHash('sha256').update(token).digest('base64url');
export const sign = (secret: Buffer, text: string) =>
  createHmac('sha256', secret).update(text).digest('base64url');
export function constantTimeEqual(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return x.length === y.length && timingSafeEqual(x, y);
}

const KEY_ID = 'k1';
/** AES-256-GCM at rest, with the id of the key in front so that keys can be rotated. */
export function seal(secret: Buffer, text: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', secret, iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return [
    KEY_ID,
    iv.toString('base64url'),
    cipher.getAuthTag().toString('base64url'),
    sealed.toString('base64url'),
  ].join('.');
}
export function unseal(secret: Buffer, sealed: string): string {
  const [key, iv, tag, text] = sealed.split('.');
  if (key !== KEY_ID || !iv || !tag || text === undefined)
    throw new Error('sealed with an unknown key');
  const decipher = createDecipheriv('aes-256-gcm', secret, Buffer.from(iv, 'base64url'));
  decipher.setAuthTag(Buffer.from(tag, 'base64url'));
  return Buffer.concat([
    decipher.update(Buffer.from(text, 'base64url')),
    decipher.final(),
  ]).toString('utf8');
}

/** The session cookie's name. Over https it has the prefix that keeps sister domains and plain http from setting it. */
export const sessionCookieName = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? '__Host-trunkline_session' : 'trunkline_session';
