/** Twilio's port-in requests. */
import type { PortOrder, PortReport } from '../../gateways/porting.ts';
import type { CarrierObject } from '../shared/carrier-object-store.ts';
import { classifyError } from './api.ts';
import type { TwilioClient } from './client.ts';

/** What is stored of an order. */
export interface PortRecord {
  seq?: number;
  told?: string;
  order?: Omit<PortOrder, 'documents' | 'pin'>;
  /** The ported numbers have our webhook URLs. */
  configured?: boolean;
  /** Since when there may be a request whose response was lost (ISO 8601); null: there is none. */
  asking?: string | null;
}
/** Final statuses of a request. */
const endedStatuses = new Set(['canceled', 'cancelled', 'expired', 'completed']);
export const canceledStatuses = new Set(['canceled', 'cancelled']);

/**
 * An order's current request at Twilio; null when there is none. One whose response was lost is
 * found by its numbers, because Twilio stores no key of ours.
 */
export async function currentRequest(
  client: TwilioClient,
  object: CarrierObject,
): Promise<PortInRequest | null> {
  const { asking, order } = object.facts as PortRecord;
  if (asking) {
    const lost = await findUnconfirmed(client, asking, order?.numbers ?? [], object.ref);
    if (lost)
      await client.store.change('port', object.key, { ref: lost.ref, facts: { asking: null } });
    if (lost) return lost;
  }
  return object.ref ? fetchPort(client, object.ref) : null;
}
/**
 * An open request created since then with one of these numbers. A number is in one open request at
 * most.
 */
async function findUnconfirmed(
  client: TwilioClient,
  since: string,
  numbers: readonly string[],
  exceptRef: string | null,
): Promise<PortInRequest | null> {
  const createdAfter = new Date(Date.parse(since) - 86_400_000).toISOString().slice(0, 10);
  for (const {
    portInRequestSid: ref,
    portInRequestStatus,
  } of await client.api.client.numbers.v1.portingAllPortIns.list({ createdAfter, limit: 500 })) {
    if (ref === exceptRef || endedStatuses.has(normalizeStatus(portInRequestStatus))) continue;
    const found = await fetchPort(client, ref);
    if (found && !endedStatuses.has(found.status) && found.numbers.some((n) => numbers.includes(n)))
      return found;
  }
  return null;
}

const normalizeStatus = (status: unknown): string =>
  String(status ?? '')
    .toLowerCase()
    .replaceAll('_', ' ');

/** A request at Twilio. */
export interface PortInRequest {
  ref: string;
  numbers: string[];
  /** Lower case, with spaces. */
  status: string;
  focDate: string | null;
  rejection: PortReport['rejection'];
}

/** Null when Twilio has no such request. */
export async function fetchPort(client: TwilioClient, ref: string): Promise<PortInRequest | null> {
  try {
    const found = await client.api.client.numbers.v1.portingPortIns(ref).fetch();
    const numbers = (found.phoneNumbers ?? []) as unknown as Record<string, unknown>[];
    // Some fields come with underscores, others in camel case.
    const field = (n: Record<string, unknown>, name: string) =>
      n[name] ?? n[name.replace(/_(\w)/g, (_, c: string) => c.toUpperCase())];
    const days = numbers
      .map((n) => field(n, 'port_date'))
      .filter(Boolean)
      .map((d) => new Date(d as string).toISOString().slice(0, 10));
    const refused = numbers.find((n) => field(n, 'rejection_reason'));
    return {
      ref,
      numbers: numbers.map((n) => String(field(n, 'phone_number') ?? '')),
      status: normalizeStatus(found.portInRequestStatus),
      focDate: days.length === numbers.length ? (days.sort().at(-1) ?? null) : null,
      rejection: refused
        ? {
            code: String(field(refused, 'rejection_reason_code') ?? 'refused'),
            text: String(field(refused, 'rejection_reason')),
            fix: 'Correct it and submit again.',
          }
        : null,
    };
  } catch (error) {
    const failure = classifyError(error);
    if (failure.is === 'refused' && failure.status === 404) return null;
    throw error;
  }
}

/** Cancels a request. */
export async function removePort(
  client: TwilioClient,
  ref: string,
): Promise<'canceled' | 'too_late'> {
  try {
    await client.api.client.numbers.v1.portingPortIns(ref).remove();
    return 'canceled';
  } catch (error) {
    const failure = classifyError(error);
    if (failure.is !== 'refused' || failure.status === 401) throw error;
    return failure.status === 404 ? 'canceled' : 'too_late';
  }
}
