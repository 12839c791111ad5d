import type { RejectionReason } from '../../gateways/registration.ts';
import {
  storeStepId,
  runStep,
  type RegistrationRecord,
  type RegistrationProgress,
} from '../shared/registration-workflow.ts';
import { DashboardError } from './dashboard.ts';
import type { BandwidthClient } from './client.ts';
import { tollFreeJson } from './registration-fields.ts';

interface VerificationStatus {
  status?: string;
  declineReasonDescription?: string;
  denialStatusCode?: number;
  resubmitAllowed?: boolean;
  additionalDenialReasons?: { statusCode: number; reason: string }[] | null;
}

/** One verification a number, as in Bandwidth's published API. */
export async function advanceTollFree(
  client: BandwidthClient,
  key: string,
  record: RegistrationRecord,
): Promise<RegistrationProgress> {
  const { store } = client;
  const results: NumberResult[] = [];
  for (const number of record.documents.numbers)
    results.push(await advanceNumber(client, key, record, number));
  const removed = Object.keys(record.ids).filter(
    (name) => name.startsWith('+') && !record.documents.numbers.includes(name),
  );
  for (const number of removed) {
    await deleteVerification(client, number);
    await storeStepId(store, key, record, number, null);
  }
  const numbers = results.map((result) => result.number);
  const isPending = numbers.some(({ state }) => state === 'asked') || !numbers.length;
  const isApproved = numbers.some(({ state }) => state === 'approved');
  const decided = isApproved ? 'approved' : 'rejected';
  return {
    state: isPending ? 'in_review' : decided,
    brandScore: null,
    objections: isApproved || isPending ? [] : distinct(results.flatMap((r) => r.objections)),
    numbers,
  };
}

interface NumberResult {
  number: RegistrationProgress['numbers'][number];
  objections: RejectionReason[];
}

/** Each reason once. */
const distinct = (objections: RejectionReason[]): RejectionReason[] =>
  objections.filter((one, i) => objections.findIndex(({ text }) => text === one.text) === i);

async function advanceNumber(
  client: BandwidthClient,
  key: string,
  record: RegistrationRecord,
  number: string,
): Promise<NumberResult> {
  const { store } = client;
  const attempt = String(record.attempt);
  const create = async () => {
    await createVerification(client, record, number);
    return 'begun';
  };
  const find = async () => ((await fetchVerification(client, number)) ? 'begun' : undefined);
  await runStep(store, key, record, number, create, find);
  const submitted = `sent:${number}`;
  if (!record.ids[submitted]) await storeStepId(store, key, record, submitted, attempt);
  const found = await fetchVerification(client, number);
  if (found?.status === 'VERIFIED')
    return { number: { number, state: 'approved', reason: null }, objections: [] };
  if (found?.status === 'UNVERIFIED' && record.ids[submitted] === attempt)
    return rejectedNumber(number, found);
  if (found?.status === 'UNVERIFIED') {
    await resubmit(client, record, number, found);
    await storeStepId(store, key, record, submitted, attempt);
  }
  return { number: { number, state: 'asked', reason: null }, objections: [] };
}

function rejectedNumber(number: string, found: VerificationStatus): NumberResult {
  const main = found.declineReasonDescription || 'Bandwidth did not accept the verification.';
  const reasons = [
    { statusCode: found.denialStatusCode ?? 0, reason: main },
    ...(found.additionalDenialReasons ?? []),
  ];
  return {
    number: { number, state: 'rejected', reason: main },
    objections: reasons.map(({ statusCode, reason }) => ({
      code: String(statusCode || 'refused'),
      text: reason,
      fix: 'Fix the reported problem, then submit again.',
    })),
  };
}

/**
 * Submitted again after a rejection: updates the verification where Bandwidth allows that, else
 * replaces it.
 */
async function resubmit(
  client: BandwidthClient,
  record: RegistrationRecord,
  number: string,
  found: VerificationStatus,
): Promise<void> {
  if (found.resubmitAllowed !== false) {
    const submission = tollFreeJson(record.documents);
    await verificationRequest(client, 'PUT', verificationPath(number), { submission });
    return;
  }
  await deleteVerification(client, number);
  await createVerification(client, record, number);
}

/** Deletes the verifications of all numbers. */
export async function endTollFree(
  client: BandwidthClient,
  key: string,
  record: RegistrationRecord,
): Promise<void> {
  for (const number of Object.keys(record.ids)) {
    if (!number.startsWith('+')) continue;
    await deleteVerification(client, number);
    for (const made of [number, `sent:${number}`])
      await storeStepId(client.store, key, record, made, null);
  }
}

const verificationPath = (number: string) =>
  `/phoneNumbers/${encodeURIComponent(number)}/tollFreeVerification`;
const createVerification = (client: BandwidthClient, record: RegistrationRecord, number: string) =>
  verificationRequest(client, 'POST', '/tollFreeVerification', {
    ...tollFreeJson(record.documents),
    phoneNumbers: [number],
  });

/** Null when the number has none. */
async function fetchVerification(
  client: BandwidthClient,
  number: string,
): Promise<VerificationStatus | null> {
  const { status, said: reply } = await verificationRequest(
    client,
    'GET',
    verificationPath(number),
    undefined,
    [404],
  );
  return status === 404 ? null : (reply as VerificationStatus);
}
const deleteVerification = (client: BandwidthClient, number: string) =>
  verificationRequest(client, 'DELETE', verificationPath(number), undefined, [404]);

/** Throws DashboardError when Bandwidth refuses, unless the status is in `accepted`. */
async function verificationRequest(
  client: BandwidthClient,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
  accepted: readonly number[] = [],
): Promise<{ status: number; said: unknown }> {
  const { status, body: bytes } = await client.api.request(
    'tollFree',
    method,
    `/accounts/${encodeURIComponent(client.settings.accountId)}${path}`,
    body && { type: 'application/json', text: JSON.stringify(body) },
  );
  if (status >= 500 || status === 429)
    throw new Error(`Bandwidth’s toll-free verification answered ${status}.`);
  const reply = bytes.length
    ? (JSON.parse(bytes.toString('utf8')) as Record<string, unknown>)
    : null;
  if (status >= 400 && !accepted.includes(status)) {
    const [first] = (reply?.['errors'] ?? []) as { code?: string; description?: string }[];
    throw new DashboardError(
      status,
      String(first?.code ?? reply?.['type'] ?? 'refused'),
      String(
        first?.description ??
          reply?.['description'] ??
          `Bandwidth’s toll-free verification answered ${status}.`,
      ),
    );
  }
  return { status, said: reply };
}
