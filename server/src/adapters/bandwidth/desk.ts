import { createHmac, timingSafeEqual } from 'node:crypto';
import { BlockList, isIPv4, isIPv6 } from 'node:net';
import type { BandwidthSettings } from '../../platform/settings.ts';
import type { CarrierRequest } from '../../ports/carrier.ts';
import type { Log } from '../../platform/log.ts';
import type { Hearing } from '../../ports/carrier.ts';
import type { Doing } from '../doing.ts';
import type { BookedLeg, LegBook } from '../leg-book.ts';
import type { Api } from './api.ts';
import type { Turns } from '../turns.ts';
import { documentOf, type Places } from './bxml.ts';

/** What the parts of the adapter share. */
export interface Desk {
  settings: BandwidthSettings;
  publicUrl: string;
  api: Api;
  book: LegBook<Doing>;
  places: Places;
  secret: string;
  log: Log;
  /** Where our own exchange is dialled for a line; null: nowhere. */
  lineAddress: (line: string) => string | null;
  /** Whom to tell what no webhook will say. Null until the process listens. */
  hear: Hearing | null;
  turns: Turns;
  now: () => Date;
}

/** The addresses in our documents. They carry our own names, so a report leads home even when nothing was written down yet. */
export function placesOf(
  publicUrl: string,
  key: string,
  fileAddress: (name: string) => string,
): Places {
  const base = `${publicUrl}/carriers/bandwidth/${key}`;
  const at = (what: string, query: Record<string, string>) =>
    `${base}/${what}?${new URLSearchParams(query)}`;
  return {
    voice: (leg) => at('voice', { leg }),
    gather: (leg, command) => at('voice/gather', { leg, command }),
    recording: (leg, recording) => at('voice/recording', { leg, recording }),
    conference: (leg) => at('voice/conference', { leg }),
    file: fileAddress,
    sound: (name) => `${base}/sounds/${name}.wav`,
  };
}

/**
 * The document of a leg as it should be now. A recording begins with the first document that is given after it was asked
 * for: `recordingN` is the document it belongs to.
 */
export async function documentFor(
  desk: Desk,
  row: BookedLeg<Doing>,
  doing: Doing = row.doing,
): Promise<string> {
  const room = doing.kind === 'keys' ? doing.then : doing;
  const coach = room.kind === 'room' && room.coach ? await desk.book.read(room.coach) : undefined;
  const { recording, recordingN, picked } = row.facts as {
    recording?: string | null;
    recordingN?: number;
    picked?: boolean;
  };
  const news = recordingN !== undefined && row.toldN < recordingN;
  return documentOf(
    doing,
    {
      leg: row.leg,
      inbound: row.inbound,
      answered: picked === true || row.state === 'answered',
      coachRef: coach?.ref ?? null,
      recording: news ? (recording ? { begin: recording } : 'stop') : null,
      login: desk.settings.webhook,
    },
    desk.places,
  );
}

/**
 * Bandwidth signs nothing. So its reports come to an address nobody can guess (made from this installation's secret), with
 * the user and password given at Bandwidth, and, when told, only from Bandwidth's own addresses.
 */
export const addressKey = (secret: string): string =>
  createHmac('sha256', secret).update('bandwidth-webhooks').digest('base64url').slice(0, 32);
export const webhookPath = (what: string): string => `/carriers/bandwidth/:key/${what}`;

export function isGenuine(desk: Desk, request: CarrierRequest): boolean {
  const { settings } = desk;
  if (!same(request.params['key'] ?? '', addressKey(desk.secret))) return false;
  if (
    settings.webhook &&
    !same(
      String(request.headers['authorization'] ?? ''),
      `Basic ${Buffer.from(`${settings.webhook.username}:${settings.webhook.password}`).toString('base64')}`,
    )
  )
    return false;
  return (
    settings.addresses.length === 0 ||
    listOf(settings.addresses).check(
      request.ip.replace(/^::ffff:/, ''),
      isIPv6(request.ip) && !request.ip.startsWith('::ffff:') ? 'ipv6' : 'ipv4',
    )
  );
}

function same(said: string, meant: string): boolean {
  const [a, b] = [Buffer.from(said), Buffer.from(meant)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function listOf(addresses: readonly string[]): BlockList {
  const list = new BlockList();
  for (const each of addresses) {
    const [address = '', bits] = each.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}
