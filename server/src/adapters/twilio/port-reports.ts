import type { PortReport, PortState } from '../../gateways/porting.ts';
import type { CarrierObject } from '../shared/carrier-object-store.ts';
import { nextReportSeq } from '../shared/report-seq.ts';
import { webhookPath, type TwilioClient } from './client.ts';
import { fetchPort, type PortInRequest, type PortRecord } from './port-requests.ts';
import { mustBe } from '../../platform/must-be.ts';

/**
 * Our state by Twilio's status. Twilio gets the signed letter from the authorized person by email;
 * an order that waits for it is `submitted`.
 */
const portStates: Readonly<Record<string, PortState>> = {
  'in review': 'submitted',
  'waiting for signature': 'submitted',
  pending: 'submitted',
  'in progress': 'inProgress',
  completed: 'completed',
  'action required': 'rejected',
  expired: 'rejected',
  canceled: 'canceled',
  cancelled: 'canceled',
};
/** The report of a request; null when it is not ours or not at Twilio. */
export async function fetchReport(client: TwilioClient, ref: string): Promise<PortReport | null> {
  const known = await client.store.getByRef('port', ref);
  const found = await fetchPort(client, ref);
  if (!found) return null;
  if (known) return reportOf(client, known, found);
  // It belongs to no order: it may be the one whose response was lost.
  for (const key of found.numbers[0]
    ? await client.store.keysMentioning('port', found.numbers[0])
    : []) {
    const object = await client.store.get('port', key);
    if (!(object?.facts as PortRecord | undefined)?.asking) continue;
    await client.store.change('port', key, { ref, facts: { asking: null } });
    return reportOf(client, mustBe(await client.store.get('port', key), 'the changed port'), found);
  }
  return null;
}

/**
 * Ported numbers get our webhook URLs before they are reported, so that their first call is
 * answered.
 */
export async function reportOf(
  client: TwilioClient,
  object: CarrierObject,
  found: PortInRequest,
): Promise<PortReport> {
  const record = object.facts as PortRecord;
  const base = portStates[found.status] ?? 'submitted';
  const state: PortState = base === 'inProgress' && found.focDate ? 'firmOrderScheduled' : base;
  if (state === 'completed' && !record.configured) {
    for (const number of record.order?.numbers ?? []) await configureNumber(client, number);
    await client.store.change('port', object.key, { facts: { configured: true } });
  }
  const rejection = state === 'rejected' ? rejectionOf(found) : null;
  const report = { state, focDate: found.focDate, wanted: [], rejection };
  return {
    ref: found.ref,
    key: object.key,
    seq: await nextReportSeq(client.store, object, report),
    ...report,
  };
}

/** Sets our webhook URLs on a number. */
async function configureNumber(client: TwilioClient, number: string): Promise<void> {
  const at = (what: string) => `${client.publicUrl}${webhookPath(what)}`;
  for (const ours of await client.api.client.incomingPhoneNumbers.list({
    phoneNumber: number,
    limit: 5,
  })) {
    if (ours.phoneNumber !== number) continue;
    await client.api.client.incomingPhoneNumbers(ours.sid).update({
      voiceUrl: at('voice'),
      voiceMethod: 'POST',
      statusCallback: at('voice/status'),
      statusCallbackMethod: 'POST',
      smsUrl: at('sms'),
      smsMethod: 'POST',
    });
    await client.store.put('order', number, { ref: ours.sid });
  }
}

/** An expired request has no rejection of its own. */
function rejectionOf(found: PortInRequest): PortReport['rejection'] {
  if (found.rejection || found.status !== 'expired') return found.rejection;
  return {
    code: 'expired',
    text: 'Twilio’s letter wasn’t signed in time.',
    fix: 'Submit again and sign the letter Twilio emails to the authorized person.',
  };
}
