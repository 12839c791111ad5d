/**
 * The address at which a carrier reaches our media server for one call: `sip:<token>@<SIP_PUBLIC>`.
 * The token derives from the call leg's unique name and this installation's secret, so that it is
 * stored nowhere: deriving it again gives the same address, and the database holds only its hash.
 */
import { createHmac } from 'node:crypto';
import type { Settings } from './settings.ts';

/**
 * 48 hexadecimal digits (192 bits): unguessable, and free of characters that SIP servers may
 * rewrite.
 */
export const sipTrunkToken = (secret: Buffer, trunkName: string): string =>
  createHmac('sha256', secret).update(`sip-line:${trunkName}`).digest('hex').slice(0, 48);
/** Whether the user part of a SIP address has the form of a token; not whether it is valid. */
export const isSipTrunkToken = (user: string): boolean => /^[0-9a-f]{48}$/.test(user);

/** `host:port`. */
export const addressOf = ({ host, port }: { host: string; port: number }): string =>
  `${host}:${port}`;
/** `at`: one of several exchanges. Null: carriers cannot reach our media server (`SIP_PUBLIC` is not set). */
export const sipTrunkUri =
  (settings: Pick<Settings, 'sipPublic' | 'appSecret'>) =>
  (trunkName: string, at = settings.sipPublic && addressOf(settings.sipPublic)): string | null =>
    at && `sip:${sipTrunkToken(settings.appSecret, trunkName)}@${at}`;
