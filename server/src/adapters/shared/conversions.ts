/** Tells advertising platforms of calls: each conversion once, and what the call is in the end. */
import { z } from 'zod';
import { deliveryEvents, type DeliveryEvent } from '#contract/integrations/rules';
import type { DeliveryRule } from '#contract/integrations/schemas';
import type {
  Destination,
  Outgoing,
  Speech,
  Step,
  Steps,
  StepsVerdict,
} from '../../gateways/destination.ts';
import type { OutboundAnswer, OutboundRequest } from '../../gateways/outbound.ts';
import type { Platform, WithRules } from './conversion-platform.ts';
import { nextStep, told, type Told } from './next-conversion.ts';
import { clicksOf, wantedOf, whyNot } from './wanted-conversion.ts';

/** Events of calls; texts and forms aren't conversions of a click that led to a call. */
const callEvents: readonly DeliveryEvent[] = deliveryEvents.filter(
  (event) => event !== 'message.received' && event !== 'form',
);

const allTold = z.record(z.string(), told);

/** Tells a platform what a call is now: nothing where it was told that, once where it wasn't. */
function* settle<Config extends WithRules>(
  speech: Speech<Config>,
  platform: Platform<Config>,
): Steps {
  const place = platform.placeOf(speech.rule, speech.config);
  if (place === null)
    return { state: 'refused', error: 'No conversion is chosen for this rule. Edit the rules.' };
  const all = allTold.safeParse(parsed(speech.known['told'])).data ?? {};
  const remembered = (now: Told | undefined) => {
    const { [place]: _, ...others } = all;
    return { told: JSON.stringify(now ? { ...others, [place]: now } : others) };
  };
  const wanted = wantedOf(place, speech, platform);
  let now = all[place];
  let last: StepsVerdict | null = null;
  if (now?.receipt && platform.later) {
    last = platform.later.read(yield { request: platform.later.ask(now.receipt) });
    if (last.state === 'refused') return { ...last, remember: remembered(undefined) };
    if (last.state !== 'sent') return last;
    now = taken(now);
  }
  for (;;) {
    const next = nextStep(now, { place, wanted }, speech, platform);
    if ('state' in next) return last ? { ...last, remember: remembered(now) } : next;
    const before = now;
    // Stored before it is sent: who follows a worker that ended knows that it may have been told.
    const doubtful: Told = {
      ...{ counted: before?.counted ?? false, ...next.now },
      ...{ sure: false, again: !next.isSureThen, receipt: null },
    };
    last = yield* tell(next.request, doubtful, { platform, remembered });
    // What was refused for good wasn't told.
    if (last.state === 'refused')
      return { ...last, remember: remembered(before?.sure ? before : undefined) };
    if (last.state !== 'sent') return last;
    now = taken(doubtful);
  }
}

/** The same once the platform took it; what it took back it may never have counted. */
const taken = (now: Told): Told => ({
  ...now,
  ...{ counted: now.counted || !now.takenBack, sure: !now.again, receipt: null },
});

/** Sends a request, and asks what became of it where the platform looks at it later. */
function* tell<Config>(
  request: OutboundRequest,
  doubtful: Told,
  {
    platform,
    remembered,
  }: { platform: Platform<Config>; remembered: (now: Told) => Record<string, string> },
): Generator<Step, StepsVerdict, OutboundAnswer> {
  const answer = yield { request, remember: remembered(doubtful) };
  const verdict = platform.read(answer);
  const receipt = verdict.state === 'sent' ? platform.later?.receiptOf(answer) : undefined;
  if (receipt === undefined || !platform.later) return verdict;
  return platform.later.read(
    yield {
      request: platform.later.ask(receipt),
      remember: remembered({ ...doubtful, receipt }),
    },
  );
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? {} : JSON.parse(text);
  } catch {
    return {};
  }
}

/** What the destinations of all platforms have in common. */
export const conversionDestination = <Config extends WithRules>(
  platform: Platform<Config>,
): Pick<
  Destination<Config>,
  | 'label'
  | 'events'
  | 'inboundOnly'
  | 'firstContactDays'
  | 'corrects'
  | 'accepts'
  | 'whyNot'
  | 'dedupeKey'
  | 'orderKey'
  | 'records'
  | 'say'
  | 'check'
> => ({
  label: platform.label,
  events: callEvents,
  inboundOnly: true,
  firstContactDays: null,
  corrects: true,
  accepts: (facts, config) => whyNot(facts, platform, config) === null,
  whyNot: (facts, config) => whyNot(facts, platform, config),
  dedupeKey: ({ event, subject }) => `${event}:${subject.type}:${subject.id}`,
  // What is told of one call is compared with what was told before.
  orderKey: ({ subject }) => `${subject.type}:${subject.id}`,
  records: ({ subject }) => ({ told: `told:${subject.type}:${subject.id}` }),
  say: (speech): Outgoing => ({
    via: 'steps',
    steps: () => settle(speech, platform),
    pretend: (request) => platform.pretend(request),
  }),
  ...(platform.validate && { check: checkBy(platform, platform.validate) }),
});

/** Asks whether the platform would take a call as it is now, whether or not a rule asks for it. */
const checkBy =
  <Config extends WithRules>(
    platform: Platform<Config>,
    validate: NonNullable<Platform<Config>['validate']>,
  ) =>
  (speech: Speech<Config>): OutboundRequest => {
    const place = platform.placeOf(speech.rule, speech.config) ?? '';
    const [click = null] = clicksOf(speech.facts, platform, speech.config);
    const wanted = wantedOf(place, speech, platform);
    return validate(
      typeof wanted === 'string' ? { place, click, valueCents: null, generation: 0 } : wanted,
      speech,
    );
  };

/** Rules that also wait for an upload's delay, as far as a rule can. */
export const delayedRules = (rules: readonly DeliveryRule[], hours: number): DeliveryRule[] =>
  rules.map((rule) => ({ ...rule, delay_minutes: Math.max(rule.delay_minutes, hours * 60) }));
