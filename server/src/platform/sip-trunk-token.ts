/**
 * The address by which a carrier reaches our own exchange for one call: `sip:<token>@<SIP_PUBLIC>`. The token follows from
 * the line's name (which is never given twice) and this installation's secret, so that it is written down nowhere: asked
 * again, a carrier is told the same, and what stands in the database is only its hash.
 */
import { createHmac } from 'node:crypto';
import type { Settings } from './settings.ts';

/** 48 hexadecimal digits: 192 bits nobody can guess, and no letter that a SIP server might write differently. */
export const sipTrunkToken = (secret: Buffer, trunkName: string): string =>
  createHmac('sha256', secret).update(`sip-line:${trunkName}`).digest('hex').slice(0, 48);
export const isSipTrunkToken = (user: string): boolean => /^[0-9a-f]{48}$/.test(user);

/** Null: carriers cannot reach our exchange (`SIP_PUBLIC` is not set). */
export const sipTrunkUri =
  (settings: Pick<Settings, 'sipPublic' | 'appSecret'>) =>
  (trunkName: string): string | null =>
    settings.sipPublic
      ? `sip:${sipTrunkToken(settings.appSecret, trunkName)}@${settings.sipPublic.host}:${settings.sipPublic.port}`
      : null;
