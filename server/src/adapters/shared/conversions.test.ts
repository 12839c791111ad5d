import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deliveryRule } from '#contract/integrations/schemas';
import type { DeliveryFacts, Speech, StepsVerdict } from '../../gateways/destination.ts';
import type { OutboundAnswer, OutboundRequest } from '../../gateways/outbound.ts';
import { sampleSpeech } from '../../modules/integrations/deliveries/sample-facts.ts';
import { jsonRequest } from './answers.ts';
import type { Conversion } from './conversion-platform.ts';
import { conversionDestination } from './conversions.ts';

const now = new Date('2026-11-21T15:00:00Z');
const rule = deliveryRule.parse({ event: 'qualified', value: { type: 'from_call' } });
const click = { at: now, ids: { click: 'abc' }, cookies: {}, basisPoints: 10_000 };

/**
 * A receiver that counts a call once, changes its value and takes it back. `later`: it looks at it later.
 * `for good`: what it took back it never counts again, and only takes it as another one.
 */
function createReceiver(kind: 'at once' | 'later' | 'for good') {
  const isLater = kind === 'later';
  const isForGood = kind === 'for good';
  const book = { count: 0, uploads: 0, value: null as number | null, takenBack: false, asked: 0 };
  /** Of one that takes back for good: whether each generation still counts. */
  const generations = new Map<number, boolean>();
  const request = (what: string) => (conversion: Conversion) =>
    jsonRequest('POST', `https://ads.example/${what}`, {
      ...{ value: conversion.valueCents, generation: conversion.generation },
    });
  const read = (answer: OutboundAnswer): StepsVerdict =>
    answer.status === 200
      ? { state: 'sent' }
      : answer.status === 202
        ? { state: 'wait', seconds: 60, error: 'Not yet.' }
        : { state: 'retry', error: 'Away.' };
  const destination = conversionDestination<{ rules: [] }>({
    label: 'Ads',
    clickIds: () => ['click'],
    placeOf: () => 'action',
    knowsWithoutClick: () => false,
    upload: request('upload'),
    restate: request('restate'),
    takeBack: request('takeBack'),
    ...(isForGood && { takesBackForGood: true as const }),
    read,
    ...(isLater && {
      later: {
        receiptOf: () => 'receipt',
        ask: () => jsonRequest('GET', 'https://ads.example/status'),
        read,
      },
    }),
    pretend: () => ({ status: 200, body: '', retryAfterSeconds: null }),
  });
  /** Takes a request, as such receivers do: one of an ID is counted once. */
  const take = ({ url, body }: OutboundRequest): OutboundAnswer => {
    const good: OutboundAnswer = { status: 200, body: '', retryAfterSeconds: null };
    if (url.endsWith('status')) return ++book.asked % 2 === 1 ? { ...good, status: 202 } : good;
    const { value, generation } = JSON.parse(body) as {
      value: number | null;
      generation: number;
    };
    if (url.endsWith('upload')) book.uploads++;
    if (isForGood) {
      const isThere = generations.get(generation);
      if (url.endsWith('takeBack')) generations.set(generation, false);
      else if (url.endsWith('upload') && isThere === undefined) {
        generations.set(generation, true);
        book.value = value;
      } else if (url.endsWith('restate') && isThere) book.value = value;
      book.count = [...generations.values()].filter(Boolean).length;
      return good;
    }
    if (url.endsWith('upload')) {
      if (book.count === 0) Object.assign(book, { count: 1, value });
    } else if (url.endsWith('restate')) Object.assign(book, { value, takenBack: false });
    else if (book.count > 0) book.takenBack = true;
    return good;
  };
  return { book, destination, take };
}

/** What happens to a call, and to the worker that delivers it. */
const step = fc.oneof(
  fc.record({ qualified: fc.boolean() }),
  fc.record({ isSpam: fc.boolean() }),
  fc.record({ valueCents: fc.constantFrom(null, 0, 500, 12_550) }),
  // How a try goes: the worker ends before or after so many requests, or an answer is lost.
  fc.record({ killedAfter: fc.constantFrom(0, 1, 2) }),
  fc.record({ lost: fc.constantFrom('request', 'answer') }),
  fc.constant({ delivered: true }),
);

test.each(['at once', 'later', 'for good'] as const)(
  'any history of changes, kills and lost answers is counted once, and ends as the call is (%s)',
  (kind) => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 14 }), (history) => {
        const { book, destination, take } = createReceiver(kind);
        const base = sampleSpeech(now, 'qualified', { config: { rules: [] as [] }, secret: null });
        let facts: DeliveryFacts = { ...base.facts, qualified: false, clicks: [click] };
        let known: Record<string, string> = {};
        let isRetry = false;
        /** A try, as the engine makes it: what is remembered is stored before the next request. */
        const deliver = (fault: { killedAfter?: number; lost?: string } = {}): string => {
          const speech: Speech<{ rules: [] }> = { ...base, rule, facts, known, isRetry };
          const outgoing = destination.say(speech);
          if (outgoing.via !== 'steps') throw new Error('It yields no steps.');
          const steps = outgoing.steps();
          let next = steps.next();
          for (let n = 0; !next.done; n++) {
            known = { ...known, ...next.value.remember };
            isRetry = true;
            if (fault.killedAfter === n) return 'killed';
            const answer =
              fault.lost === 'request' ? { status: null, error: '' } : take(next.value.request);
            next = steps.next(fault.lost ? { status: null, error: 'Lost.' } : answer);
          }
          known = { ...known, ...next.value.remember };
          return next.value.state;
        };
        for (const one of history) {
          if ('qualified' in one || 'isSpam' in one || 'valueCents' in one)
            facts = { ...facts, ...one };
          else deliver('delivered' in one ? {} : one);
        }
        let state = deliver();
        for (let n = 0; n < 5 && (state === 'wait' || state === 'retry'); n++) state = deliver();
        const isWanted = facts.qualified && !facts.isSpam;
        expect(book.count).toBeLessThanOrEqual(1);
        expect({ counts: book.count === 1 && !book.takenBack }).toEqual({ counts: isWanted });
        if (isWanted) expect(book.value).toBe(facts.valueCents);
        // Nothing is told once more where nothing changed.
        const { uploads } = book;
        deliver();
        expect(book.uploads).toBe(uploads);
      }),
      { numRuns: 3000 },
    );
  },
);
