import { createHmac, timingSafeEqual } from 'node:crypto';
import { BlockList, isIPv4, isIPv6 } from 'node:net';
import type { BandwidthSettings } from './settings.ts';
import type { WebhookRequest } from '../../gateways/carrier.ts';
import type { Log } from '../../platform/log.ts';
import type { CarrierEventSink } from '../../gateways/carrier.ts';
import type { LegInstruction } from '../shared/leg-instruction.ts';
import type { CarrierLeg, CarrierLegStore } from '../shared/carrier-leg-store.ts';
import type { BandwidthApi } from './api.ts';
import type { LegMutex } from '../shared/leg-mutex.ts';
import { buildBxml, type CallbackUrls } from './bxml.ts';

/** What the parts of the adapter share. */
export interface BandwidthClient {
  settings: BandwidthSettings;
  publicUrl: string;
  api: BandwidthApi;
  store: CarrierLegStore<LegInstruction>;
  callbacks: CallbackUrls;
  /** Newest first; callbacks that Bandwidth was told may carry the key of an earlier one. */
  appSecrets: readonly string[];
  log: Log;
  /** Where our own exchange is dialled for a line; null: nowhere. */
  interconnectUri: (line: string, at?: string) => string | null;
  /** Whom to tell what no webhook will say. Null until the process listens. */
  sink: CarrierEventSink | null;
  legMutex: LegMutex;
  now: () => Date;
}

/** The addresses in our documents. They carry our own names, so a report leads home even when nothing was written down yet. */
export function callbackUrls(
  publicUrl: string,
  key: string,
  fileAddress: (name: string) => string,
): CallbackUrls {
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
export async function legBxml(
  client: BandwidthClient,
  row: CarrierLeg<LegInstruction>,
  instruction: LegInstruction = row.doing,
): Promise<string> {
  const room = instruction.kind === 'keys' ? instruction.then : instruction;
  const coach =
    room.kind === 'room' && room.coach ? await client.store.read(room.coach) : undefined;
  const { recording, recordingN, picked } = row.facts as {
    recording?: string | null;
    recordingN?: number;
    picked?: boolean;
  };
  const isNewInstruction = recordingN !== undefined && row.toldN < recordingN;
  return buildBxml(
    instruction,
    {
      leg: row.leg,
      inbound: row.inbound,
      answered: picked === true || row.state === 'answered',
      coachRef: coach?.ref ?? null,
      recording: isNewInstruction ? (recording ? { begin: recording } : 'stop') : null,
      login: client.settings.webhook,
    },
    client.callbacks,
  );
}

/**
 * Bandwidth signs nothing. So its reports come to an address nobody can guess (made from this installation's secret), with
 * the user and password given at Bandwidth, and, when told, only from Bandwidth's own addresses.
 */
export const webhookKeyOf = (secret: string): string =>
  createHmac('sha256', secret).update('bandwidth-webhooks').digest('base64url').slice(0, 32);
/**
 * The route of a Bandwidth webhook. `:key` is derived from the installation's secret, as Bandwidth
 * signs nothing.
 */
export const webhookPath = (name: string): string => `/carriers/bandwidth/:key/${name}`;

/**
 * Whether a webhook comes from Bandwidth: the key in its address, basic authentication where set,
 * and the sender's IP address where a list is set.
 */
export function isAuthentic(client: BandwidthClient, request: WebhookRequest): boolean {
  const { settings } = client;
  const key = request.params['key'] ?? '';
  if (!client.appSecrets.some((secret) => safeEqual(key, webhookKeyOf(secret)))) return false;
  if (
    settings.webhook &&
    !safeEqual(
      String(request.headers['authorization'] ?? ''),
      `Basic ${Buffer.from(`${settings.webhook.username}:${settings.webhook.password}`).toString('base64')}`,
    )
  )
    return false;
  return (
    settings.addresses.length === 0 ||
    blockListOf(settings.addresses).check(
      request.ip.replace(/^::ffff:/, ''),
      isIPv6(request.ip) && !request.ip.startsWith('::ffff:') ? 'ipv6' : 'ipv4',
    )
  );
}

function safeEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function blockListOf(addresses: readonly string[]): BlockList {
  const list = new BlockList();
  for (const each of addresses) {
    const [address = '', bits] = each.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}
