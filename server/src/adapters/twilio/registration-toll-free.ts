import type { Objection } from '../../ports/registration.ts';
import type { Desk } from './desk.ts';
import { keepId, step, type Kept, type Outcome } from '../registration-steps.ts';
import { sidOfNumber } from './numbers.ts';
import { gone } from './registration-brand.ts';
import { objectionsOf, tollFreeOf } from './registration-words.ts';

/** One verification a toll-free number. Together they are approved when all that were decided have one yes at least. */
export async function bringTollFree(desk: Desk, key: string, now: Kept): Promise<Outcome> {
  const { book } = desk;
  const verifications = desk.api.client.messaging.v1.tollfreeVerifications;
  const facts = tollFreeOf(now.papers);
  const numbers: Outcome['numbers'] = [];
  const objections: Objection[] = [];
  for (const number of now.papers.numbers) {
    const numberSid = await sidOfNumber(desk, number);
    if (!numberSid) {
      numbers.push({ number, state: 'rejected', reason: 'It is not in the account at Twilio.' });
      continue;
    }
    const mine = `${key}:${number}`;
    const sid = await step(
      book,
      key,
      now,
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
    if (!now.ids[`sent:${number}`])
      await keepId(book, key, now, `sent:${number}`, String(now.attempt));
    const found = await verifications(sid).fetch();
    if (found.status === 'TWILIO_REJECTED' && now.ids[`sent:${number}`] !== String(now.attempt)) {
      // Handed in again after a refusal: mended where Twilio still allows it, else begun anew.
      if (found.editAllowed)
        await verifications(sid).update({ ...facts, editReason: 'The papers were corrected.' });
      else {
        await gone(verifications(sid).remove());
        await keepId(
          book,
          key,
          now,
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
      await keepId(book, key, now, `sent:${number}`, String(now.attempt));
      numbers.push({ number, state: 'asked', reason: null });
    } else if (found.status === 'TWILIO_REJECTED') {
      const said = objectionsOf(
        found.rejectionReasons,
        found.rejectionReason || 'Twilio did not accept the verification.',
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
  for (const number of Object.keys(now.ids).filter(
    (name) => name.startsWith('+') && !now.papers.numbers.includes(name),
  )) {
    const sid = now.ids[number]!;
    if (sid !== 'asked') await gone(verifications(sid).remove());
    await keepId(book, key, now, number, null);
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

export async function endTollFree(desk: Desk, key: string, now: Kept): Promise<void> {
  for (const [number, sid] of Object.entries(now.ids)) {
    if (!number.startsWith('+') || sid === 'asked') continue;
    await gone(desk.api.client.messaging.v1.tollfreeVerifications(sid).remove());
    for (const made of [number, `sent:${number}`]) await keepId(desk.book, key, now, made, null);
  }
}
