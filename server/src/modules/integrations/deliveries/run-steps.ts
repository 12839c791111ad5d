import type { Outgoing, Steps, Verdict } from '../../../gateways/destination.ts';
import type { OutboundRequest } from '../../../gateways/outbound.ts';
import type { Ctx } from '../../../platform/context.ts';
import { rememberRecords } from '../store-records.ts';
import { factsOf, type Outcome, type Reply, type Taken } from './outcome.ts';
import { MOST_STEPS, shownRequest } from './steps.ts';

/** No further request is begun after so long, so that a delivery ends before its claim does. */
const LONGEST_MS = 45_000;

const stepsOf = (outgoing: Outgoing): Steps => {
  if (outgoing.via !== 'steps') throw new Error('It is one request.');
  return outgoing.steps();
};

/**
 * Sends the requests of a delivery one after another. What the receiver calls things is stored before
 * the next one, so that a worker that follows doesn't make them again. Throws only what is unexpected.
 */
export async function runSteps(
  ctx: Ctx,
  { outgoing, redacted, destination, recordKeys }: Taken,
  ask: (request: OutboundRequest) => Promise<Reply>,
): Promise<Outcome> {
  const steps = stepsOf(outgoing);
  // The same answers lead the redacted facts along the same way: that is what the log shows.
  const shownSteps = stepsOf(redacted);
  const shown: string[] = [];
  const last: Pick<Outcome, 'code' | 'waitSeconds'> = { code: null, waitSeconds: null };
  const end = (verdict: Verdict, excerpt: string | null = null): Outcome => ({
    ...{ verdict, excerpt, ...last },
    request: shown.join('\n\n'),
  });
  const remember = async (names: Readonly<Record<string, string>> = {}): Promise<void> => {
    const records = Object.entries(names).flatMap(([name, externalId]) => {
      const key = recordKeys[name];
      return key === undefined ? [] : [{ key, externalId }];
    });
    if (records.length > 0)
      await ctx.transaction((t) => rememberRecords(t, destination.id, records));
  };
  const began = performance.now();
  let step = steps.next();
  let shownStep = shownSteps.next();
  for (let n = 0; !step.done; n++) {
    if (n >= MOST_STEPS || performance.now() - began > LONGEST_MS)
      return end({ state: 'retry', error: 'The receiver took too long.' });
    await remember(step.value.remember);
    if (!shownStep.done) shown.push(shownRequest(shownStep.value.request));
    const { answer, unusable } = await ask(step.value.request);
    Object.assign(last, factsOf(answer));
    if (unusable) return end(unusable);
    step = steps.next(answer);
    shownStep = shownSteps.next(answer);
  }
  await remember(step.value.remember);
  return end(step.value, step.value.shown);
}
