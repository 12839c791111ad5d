import type { RejectionReason } from '../../gateways/registration.ts';
import {
  storeStepId,
  runStep,
  type RegistrationRecord,
  type RegistrationProgress,
} from '../registration-workflow.ts';
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

/** One verification a number, by Bandwidth's own document. */
export async function advanceTollFree(
  client: BandwidthClient,
  key: string,
  record: RegistrationRecord,
): Promise<RegistrationProgress> {
  const { store } = client;
  const attempt = String(record.attempt);
  const numbers: RegistrationProgress['numbers'] = [];
  const objections: RejectionReason[] = [];
  for (const number of record.papers.numbers) {
    await runStep(
      store,
      key,
      record,
      number,
      async () => {
        await createVerification(client, record, number);
        return 'begun';
      },
      async () => ((await fetchVerification(client, number)) ? 'begun' : undefined),
    );
    if (!record.ids[`sent:${number}`])
      await storeStepId(store, key, record, `sent:${number}`, attempt);
    const found = await fetchVerification(client, number);
    if (found?.status === 'UNVERIFIED' && record.ids[`sent:${number}`] !== attempt) {
      // Handed in again after a refusal: mended where that is still allowed, else begun anew.
      if (found.resubmitAllowed !== false)
        await verificationRequest(client, 'PUT', verificationPath(number), {
          submission: tollFreeJson(record.papers),
        });
      else {
        await deleteVerification(client, number);
        await createVerification(client, record, number);
      }
      await storeStepId(store, key, record, `sent:${number}`, attempt);
      numbers.push({ number, state: 'asked', reason: null });
    } else if (found?.status === 'UNVERIFIED') {
      const reasons = [
        {
          statusCode: found.denialStatusCode ?? 0,
          reason: found.declineReasonDescription || 'Bandwidth did not accept the verification.',
        },
        ...(found.additionalDenialReasons ?? []),
      ];
      for (const { statusCode, reason } of reasons)
        if (!objections.some((o) => o.text === reason))
          objections.push({
            code: String(statusCode || 'refused'),
            text: reason,
            fix: 'Fix the reported problem, then submit again.',
          });
      numbers.push({ number, state: 'rejected', reason: reasons[0]!.reason });
    } else
      numbers.push({
        number,
        state: found?.status === 'VERIFIED' ? 'approved' : 'asked',
        reason: null,
      });
  }
  for (const number of Object.keys(record.ids).filter(
    (name) => name.startsWith('+') && !record.papers.numbers.includes(name),
  )) {
    await deleteVerification(client, number);
    await storeStepId(store, key, record, number, null);
  }
  const [open, yes] = [
    numbers.some((n) => n.state === 'asked'),
    numbers.some((n) => n.state === 'approved'),
  ];
  return {
    state: open || !numbers.length ? 'in_review' : yes ? 'approved' : 'rejected',
    brandScore: null,
    objections: yes || open ? [] : objections,
    numbers,
  };
}
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
    ...tollFreeJson(record.papers),
    phoneNumbers: [number],
  });
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
