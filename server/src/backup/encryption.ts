import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { Decrypter, Encrypter, generateIdentity, identityToRecipient } from 'age-encryption';

/** The passphrase is not the one that the backup was made with. */
class WrongPassphraseError extends Error {
  override name = 'WrongPassphrase';
  constructor() {
    super('BACKUP_PASSPHRASE isn’t the one this backup was made with');
  }
}

/** A new key for the parts of one backup, as `age-keygen` writes it. */
export const makeKey = (): Promise<string> => generateIdentity();

/**
 * How a stream is encrypted: by a passphrase, which takes a second on purpose, or by a key of
 * `makeKey`.
 */
export type Lock = { passphrase: string } | { key: string };

/**
 * Encrypts a stream in the age format (age-encryption.org/v1), which `age --decrypt` opens too. Any
 * change of a byte, and a missing end, is noticed when it is read.
 */
export async function encrypt(content: Readable, lock: Lock): Promise<Readable> {
  const encrypter = new Encrypter();
  if ('key' in lock) encrypter.addRecipient(await identityToRecipient(lock.key));
  else encrypter.setPassphrase(lock.passphrase);
  return fromWeb(await encrypter.encrypt(toWeb(content)));
}

/** @throws WrongPassphrase; the stream fails where its content was changed or cut off */
export async function decrypt(content: Readable, lock: Lock): Promise<Readable> {
  const decrypter = new Decrypter();
  if ('key' in lock) decrypter.addIdentity(lock.key);
  else decrypter.addPassphrase(lock.passphrase);
  return fromWeb(
    await decrypter.decrypt(toWeb(content)).catch((error: unknown) => {
      throw /no identity matched/.test(String(error)) ? new WrongPassphraseError() : error;
    }),
  );
}

// Node's streams and the browser's differ in their types only.
const toWeb = (stream: Readable) =>
  Readable.toWeb(stream) as unknown as globalThis.ReadableStream<Uint8Array>;
const fromWeb = (stream: globalThis.ReadableStream<Uint8Array>) =>
  Readable.fromWeb(stream as unknown as ReadableStream);
