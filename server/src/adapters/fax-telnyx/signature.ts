import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import type { FaxCarrier } from '../../gateways/fax.ts';

/** A webhook older than this is rejected as a replay. */
const webhookToleranceSeconds = 300;

/** @param raw the account's public key as Telnyx shows it: 32 bytes of Ed25519, base64 */
export const publicKeyOf = (raw: string) =>
  createPublicKey({
    key: Buffer.concat([
      Buffer.from('302a300506032b6570032100', 'hex'),
      Buffer.from(raw, 'base64'),
    ]),
    format: 'der',
    type: 'spki',
  });

/** Whether Telnyx signed this raw body, shortly before `cameAt` (epoch ms). */
export function isSigned(
  raw: Buffer,
  headers: Parameters<FaxCarrier['parseWebhook']>[1],
  cameAt: number,
  key: KeyObject,
): boolean {
  const timestamp = headers['telnyx-timestamp'];
  const at = Number(timestamp);
  const signature = Buffer.from(String(headers['telnyx-signature-ed25519'] ?? ''), 'base64');
  const isRecent = Number.isFinite(at) && Math.abs(cameAt / 1000 - at) <= webhookToleranceSeconds;
  if (!isRecent || signature.length !== 64) return false;
  const signed = Buffer.concat([Buffer.from(`${String(timestamp)}|`), raw]);
  return verify(null, signed, key, signature);
}
