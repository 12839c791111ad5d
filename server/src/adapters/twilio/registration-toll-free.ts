import type { RejectionReason } from '../../gateways/registration.ts';
import type { TwilioClient } from './client.ts';
import {
  storeStepId,
  runStep,
  type RegistrationRecord,
  type RegistrationProgress,
} from '../registration-workflow.ts';
import { sidOfNumber } from './numbers.ts';
import { ignoreMissing } from './registration-brand.ts';
import { parseObjections, tollFreeFields } from './registration-fields.ts';

/** One verification a toll-free number. Together they are approved when all that were decided have one yes at least. */
export async function advanceTollFree(
  client: TwilioClient,
  key: string,
  record: RegistrationRecord,
): Promise<RegistrationProgress> {
  const { store } = client;
  const verifications = client.api.client.messaging.v1.tollfreeVerifications;
  const facts = tollFreeFields(record.papers);
  const numbers: RegistrationProgress['numbers'] = [];
  const objections: RejectionReason[] = [];
  for (const number of record.papers.numbers) {
    const numberSid = await sidOfNumber(client, number);
    if (!numberSid) {
      numbers.push({ number, state: 'rejected', reason: 'It isn’t in the Twilio account.' });
      continue;
    }
    const mine = `${key}:${number}`;
    const sid = await runStep(
      store,
      key,
      record,
      number,
      async () =>
        (
          await verifications.create({
            ...facts,
            tollfreePhoneNumberSid: numberSid,
            externalReferenceId: mine,
          })
        ).sid,
      async () =>
        (await verifications.list({ tollfreePhoneNumberSid: numberSid, limit: 20 })).find(
          (v) => v.externalReferenceId === mine,
        )?.sid,
    );
    if (!record.ids[`sent:${number}`])
      await storeStepId(store, key, record, `sent:${number}`, String(record.attempt));
    const found = await verifications(sid).fetch();
    if (
      found.status === 'TWILIO_REJECTED' &&
      record.ids[`sent:${number}`] !== String(record.attempt)
    ) {
      // Handed in again after a refusal: mended where Twilio still allows it, else begun anew.
      if (found.editAllowed)
        await verifications(sid).update({ ...facts, editReason: 'The documents were corrected.' });
      else {
        await ignoreMissing(verifications(sid).remove());
        await storeStepId(
          store,
          key,
          record,
          number,
          (
            await verifications.create({
              ...facts,
              tollfreePhoneNumberSid: numberSid,
              externalReferenceId: mine,
            })
          ).sid,
        );
      }
      await storeStepId(store, key, record, `sent:${number}`, String(record.attempt));
      numbers.push({ number, state: 'asked', reason: null });
    } else if (found.status === 'TWILIO_REJECTED') {
      const said = parseObjections(
        found.rejectionReasons,
        found.rejectionReason || 'Twilio rejected the verification.',
      );
      objections.push(...said.filter((o) => !objections.some((known) => known.text === o.text)));
      numbers.push({ number, state: 'rejected', reason: said[0]?.text ?? null });
    } else
      numbers.push({
        number,
        state: found.status === 'TWILIO_APPROVED' ? 'approved' : 'asked',
        reason: null,
      });
  }
  // Numbers that left the registration.
  for (const number of Object.keys(record.ids).filter(
    (name) => name.startsWith('+') && !record.papers.numbers.includes(name),
  )) {
    const sid = record.ids[number]!;
    if (sid !== 'asked') await ignoreMissing(verifications(sid).remove());
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
