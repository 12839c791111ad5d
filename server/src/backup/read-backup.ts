import { createHash } from 'node:crypto';
import { Transform, pipeline as connect, type Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import type { z } from 'zod';
import type { BackupPlace } from '../gateways/backup-place.ts';
import { decrypt, type Lock } from './encryption.ts';
import { manifestSchema, secretsSchema, type Manifest, type PartName } from './manifest.ts';

/** A backup can't be restored here: what is wrong, and what to do instead. */
export class RestoreRefusedError extends Error {
  override name = 'RestoreRefused';
}

/** @throws RestoreRefused when there is none, or it is unfinished or of another format */
export async function readManifest(place: BackupPlace, backup: string): Promise<Manifest> {
  const content = await place.read(`${backup}/manifest.json`).then(text, () => null);
  if (content === null)
    throw new RestoreRefusedError(
      `There is no finished backup ${backup} at ${place.name}. npm run restore without a name lists those that are there`,
    );
  const manifest = manifestSchema.safeParse(JSON.parse(content));
  if (!manifest.success)
    throw new RestoreRefusedError(
      `${backup}/manifest.json was made by another version of Trunkline. Restore it with that version`,
    );
  return manifest.data;
}

/** A part of a backup that is being read. */
export interface OpenPart {
  content: Readable;
  /** Once it was read to its end. Throws when it isn't what was stored. */
  verify(): void;
}

/** Opens a part, which `verify` compares with its sum once it was read. Throws WrongPassphrase. */
export async function openPart(
  place: BackupPlace,
  backup: string,
  manifest: Manifest,
  name: PartName,
  lock: Lock,
): Promise<OpenPart> {
  const expected = manifest.parts.find((part) => part.name === name);
  if (!expected) throw new RestoreRefusedError(`The backup has no part ${name}`);
  const hash = createHash('sha256');
  const measured = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  connect(await place.read(`${backup}/${name}.age`), measured, () => {});
  return {
    content: await decrypt(measured, lock),
    verify() {
      if (hash.digest('hex') !== expected.sha256)
        throw new Error(`${backup}/${name}.age isn’t what was stored: its sum differs`);
    },
  };
}

/**
 * What opens the other parts, and what an installation starts with.
 * @throws WrongPassphrase
 */
export async function readSecrets(
  place: BackupPlace,
  backup: string,
  manifest: Manifest,
  passphrase: string,
): Promise<z.output<typeof secretsSchema>> {
  const sealed = await openPart(place, backup, manifest, 'secrets', { passphrase });
  const secrets = secretsSchema.parse(JSON.parse(await text(sealed.content)));
  sealed.verify();
  return secrets;
}

/** What was compressed. */
export function gunzipped(content: Readable): Readable {
  const gunzip = createGunzip();
  connect(content, gunzip, () => {});
  return gunzip;
}
