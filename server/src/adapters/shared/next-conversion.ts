/** What an advertising platform is told of a call next, by what it was told before. Everything is pure. */
import { z } from 'zod';
import type { AdClick, Speech, StepsVerdict } from '../../gateways/destination.ts';
import type { OutboundRequest } from '../../gateways/outbound.ts';
import { sha256 } from './answers.ts';
import type { Conversion, Platform, WithRules } from './conversion-platform.ts';
import { clicksOf } from './wanted-conversion.ts';

/**
 * What a place was told of a call last. `counted`: it said that it counts it. `sure`: it said that it took
 * the last thing that it was told. `again`: that may have been told once more, with another value. `click`:
 * which click it was told of, hashed. `generation`: as of `Conversion`.
 */
export const told = z.object({
  valueCents: z.number().nullable(),
  takenBack: z.boolean(),
  counted: z.boolean(),
  sure: z.boolean(),
  again: z.boolean(),
  receipt: z.string().nullable(),
  click: z.string().nullable().default(null),
  generation: z.number().default(0),
});
export type Told = z.infer<typeof told>;

const isTold = (before: Told, wanted: Conversion | string): boolean =>
  before.sure &&
  (typeof wanted === 'string'
    ? before.takenBack
    : !before.takenBack && before.valueCents === wanted.valueCents);

/** What names a click there, hashed; null: nothing does. */
function clickKey<Config>(
  click: AdClick | null,
  platform: Platform<Config>,
  config: Config,
): string | null {
  const id = platform.clickIds(config).flatMap((name) => click?.ids[name] ?? [])[0];
  return id === undefined ? null : sha256(id);
}

/** What is told next, and what is known then. `isSureThen`: whether its value is. */
interface Next {
  request: OutboundRequest;
  now: Pick<Told, 'valueCents' | 'takenBack' | 'click' | 'generation'> & { counted?: false };
  isSureThen: boolean;
}

const skipped = (error: string): StepsVerdict => ({ state: 'skipped', error });

/**
 * What is sent next, what was told afterwards, and whether that is sure then: one of an ID is counted
 * once, so a second upload doesn't change the value of a first that may have arrived. Or why nothing is.
 */
export function nextStep<Config extends WithRules>(
  before: Told | undefined,
  { place, wanted }: { place: string; wanted: Conversion | string },
  speech: Speech<Config>,
  platform: Platform<Config>,
): StepsVerdict | Next {
  if (!before && typeof wanted === 'string') return skipped(wanted);
  if (before && isTold(before, wanted))
    return speech.isRetry && typeof wanted !== 'string'
      ? { state: 'sent' }
      : skipped('Nothing changed since it was sent.');
  const { config, facts } = speech;
  const clicks = clicksOf(facts, platform, config);
  // The click that it was told of names it there, whichever has the most credit by now.
  const told = clicks.find((one) => before?.click === clickKey(one, platform, config));
  const isOver = platform.takesBackForGood === true && before?.takenBack === true;
  if (typeof wanted === 'string' || (isOver && !before.sure)) {
    const { valueCents = null, generation = 0, click: key = null } = before ?? {};
    const conversion = { place, click: told ?? clicks[0] ?? null, valueCents, generation };
    const request = platform.takeBack?.(conversion, speech);
    const now = { valueCents, takenBack: true, click: key, generation };
    return request
      ? { request, now, isSureThen: true }
      : skipped(
          `${typeof wanted === 'string' ? `${wanted} ` : ''}${platform.label} can’t take back a conversion, so it stays counted there.`,
        );
  }
  const generation = (before?.generation ?? 0) + (isOver ? 1 : 0);
  const click = (isOver ? undefined : told) ?? wanted.click;
  const conversion = { ...wanted, click, generation };
  const now = {
    ...{ valueCents: wanted.valueCents, takenBack: false },
    ...{ generation, click: clickKey(click, platform, config) },
  };
  if (isOver || !before?.counted) {
    const refusal = platform.refuses?.(facts, speech.now) ?? null;
    if (refusal !== null) return skipped(refusal);
    const isFirst = isOver || before === undefined;
    return {
      request: platform.upload(conversion, speech),
      now: { ...now, ...(isOver && { counted: false }) },
      isSureThen: isFirst || platform.restate === undefined,
    };
  }
  const request = platform.restate?.(conversion, speech);
  return request
    ? { request, now, isSureThen: true }
    : skipped(`${platform.label} can’t change a conversion, so its value stays as it was sent.`);
}
