import type { RejectionReason } from '../../gateways/registration.ts';
import type { TwilioClient } from './client.ts';
import {
  storeStepId,
  runStep,
  type RegistrationRecord,
  type RegistrationProgress,
} from '../shared/registration-workflow.ts';
import { sidOfNumber } from './numbers.ts';
import { ignoreMissing } from './registration-campaign.ts';
import { parseObjections, tollFreeFields } from './registration-fields.ts';

/** One verification a number. Once all are decided, one approval approves the registration. */
export async function advanceTollFree(
  client: TwilioClient,
  key: string,
  record: RegistrationRecord,
): Promise<RegistrationProgress> {
  const results: NumberResult[] = [];
  for (const number of record.documents.numbers)
    results.push(await advanceNumber(client, key, record, number));
  await removeVerifications(client, key, record);
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
  client: TwilioClient,
  key: string,
  record: RegistrationRecord,
  number: string,
): Promise<NumberResult> {
  const { store } = client;
  const verifications = client.api.client.messaging.v1.tollfreeVerifications;
  const attempt = String(record.attempt);
  const numberSid = await sidOfNumber(client, number);
  if (!numberSid) {
    const reason = 'It isn’t in the Twilio account.';
    return { number: { number, state: 'rejected', reason }, objections: [] };
  }
  const externalReferenceId = `${key}:${number}`;
  const create = async () => {
    const facts = tollFreeFields(record.documents);
    const options = { ...facts, tollfreePhoneNumberSid: numberSid, externalReferenceId };
    return (await verifications.create(options)).sid;
  };
  const find = async () => {
    const all = await verifications.list({ tollfreePhoneNumberSid: numberSid, limit: 20 });
    return all.find((one) => one.externalReferenceId === externalReferenceId)?.sid;
  };
  const sid = await runStep(store, key, record, number, create, find);
  const submitted = `sent:${number}`;
  if (!record.ids[submitted]) await storeStepId(store, key, record, submitted, attempt);
  const found = await verifications(sid).fetch();
  if (found.status === 'TWILIO_APPROVED')
    return { number: { number, state: 'approved', reason: null }, objections: [] };
  if (found.status === 'TWILIO_REJECTED' && record.ids[submitted] === attempt) {
    const reason = found.rejectionReason || 'Twilio rejected the verification.';
    const objections = parseObjections(found.rejectionReasons, reason);
    return {
      number: { number, state: 'rejected', reason: objections[0]?.text ?? null },
      objections,
    };
  }
  if (found.status === 'TWILIO_REJECTED') {
    // Submitted again after a rejection: edited where Twilio still allows that, else replaced.
    if (found.editAllowed) {
      const editReason = 'The documents were corrected.';
      await verifications(sid).update({ ...tollFreeFields(record.documents), editReason });
    } else {
      await ignoreMissing(verifications(sid).remove());
      await storeStepId(store, key, record, number, await create());
    }
    await storeStepId(store, key, record, submitted, attempt);
  }
  return { number: { number, state: 'asked', reason: null }, objections: [] };
}

/** Removes the verifications of numbers that left the registration. */
async function removeVerifications(
  client: TwilioClient,
  key: string,
  record: RegistrationRecord,
): Promise<void> {
  const verifications = client.api.client.messaging.v1.tollfreeVerifications;
  for (const [number, sid] of Object.entries(record.ids)) {
    if (!number.startsWith('+') || record.documents.numbers.includes(number)) continue;
    if (sid !== 'asked') await ignoreMissing(verifications(sid).remove());
    await storeStepId(client.store, key, record, number, null);
  }
}

/** Deletes the verifications of all numbers. */
export async function endTollFree(
  client: TwilioClient,
  key: string,
  record: RegistrationRecord,
): Promise<void> {
  for (const [number, sid] of Object.entries(record.ids)) {
    if (!number.startsWith('+') || sid === 'asked') continue;
    await ignoreMissing(client.api.client.messaging.v1.tollfreeVerifications(sid).remove());
    for (const made of [number, `sent:${number}`])
      await storeStepId(client.store, key, record, made, null);
  }
}
