/** What all advertising platforms share: a call is one conversion of a place that counts it. */
import { z } from 'zod';
import { deliveryEvents, unmetCondition, type DeliveryEvent } from '#contract/integrations/rules';
import type { DeliveryRule } from '#contract/integrations/schemas';
import type {
  AdClick,
  DeliveryFacts,
  Destination,
  Outgoing,
  Speech,
  Step,
  Steps,
  StepsVerdict,
} from '../../gateways/destination.ts';
import type { OutboundAnswer, OutboundRequest } from '../../gateways/outbound.ts';

/** Events of calls; texts and forms aren't conversions of a click that led to a call. */
export const callEvents: readonly DeliveryEvent[] = deliveryEvents.filter(
  (event) => event !== 'message.received' && event !== 'form',
);

/** What a platform is told of a call. */
export interface Conversion {
  /** What counts it there, such as a pixel or a conversion action. */
  place: string;
  /** Null: no value is sent. Cents of US dollars. */
  valueCents: number | null;
  /** Null: the person is found by what else is sent. */
  click: AdClick | null;
}

/** How one platform is spoken to. Everything is pure. */
interface Platform<Config> {
  label: string;
  /** Names of the parameters by which it names clicks. */
  clickIds(config: Config): readonly string[];
  /** What counts the conversions of a rule. Null: nothing was chosen. */
  placeOf(rule: DeliveryRule, config: Config): string | null;
  /** Units of the currency that the place counts instead of what the rule says; left out: never. */
  fixedValue?(rule: DeliveryRule, config: Config): number | null;
  /** Whether a person is found there without a click. */
  knowsWithoutClick(facts: DeliveryFacts, config: Config): boolean;
  /** Why it takes no such call (any more), as people read it. Null: it does. */
  refuses?(facts: DeliveryFacts, now: Date): string | null;
  /** Tells it of a call, or once more what it may have been told. */
  upload(conversion: Conversion, speech: Speech<Config>): OutboundRequest;
  /** Changes the value of what it counted; left out: it can't. */
  restate?(conversion: Conversion, speech: Speech<Config>): OutboundRequest;
  /** Takes back what it counted; left out: it can't. */
  takeBack?(conversion: Conversion, speech: Speech<Config>): OutboundRequest;
  read(answer: OutboundAnswer): StepsVerdict;
  /** Of a platform that looks at what it took later: how it is asked about that, and what it means. */
  later?: {
    /** How it names the request; undefined: it doesn't. */
    receiptOf(answer: OutboundAnswer): string | undefined;
    ask(receipt: string): OutboundRequest;
    read(answer: OutboundAnswer): StepsVerdict;
  };
  /** How a platform that took it would answer, to show what would be sent. */
  pretend(request: OutboundRequest): OutboundAnswer;
}

/**
 * What a place was told of a call last. `counted`: it said that it counts it. `sure`: it said that it took
 * the last thing that it was told. `again`: that may have been told once more, with another value.
 */
const told = z.object({
  valueCents: z.number().nullable(),
  takenBack: z.boolean(),
  counted: z.boolean(),
  sure: z.boolean(),
  again: z.boolean(),
  receipt: z.string().nullable(),
});
type Told = z.infer<typeof told>;
const allTold = z.record(z.string(), told);

/** Whether an event still is what the call is now. */
const holds: Partial<Record<DeliveryEvent, (facts: DeliveryFacts) => boolean>> = {
  'call.completed': () => true,
  'call.answered': ({ outcome }) => outcome === 'answered',
  'call.missed': ({ outcome }) => outcome === 'missed' || outcome === 'voicemail',
  voicemail: ({ outcome }) => outcome === 'voicemail',
  qualified: ({ qualified }) => qualified,
  lead: ({ lead }) => lead,
  outcome_tag: ({ outcomeTags }) => outcomeTags.length > 0,
};

/** Whether a rule asks for a call as it is known now. */
function asks(rule: DeliveryRule, facts: DeliveryFacts): boolean {
  if (facts.isSpam || !holds[rule.event]?.(facts)) return false;
  const { number, source, firstContact, happenedAt: at } = facts;
  return (
    unmetCondition(
      rule,
      {
        event: rule.event,
        numberId: number.id,
        poolId: number.poolId,
        sourceKey: source?.key ?? null,
        durationSeconds: facts.durationSeconds,
        previousContactAt: firstContact ? null : at,
        at,
        qualified: facts.qualified,
        outcomeTags: facts.outcomeTags,
        department: facts.department,
        isOutbound: facts.outbound,
      },
      null,
    ) === null
  );
}

/** Clicks of the platform on the way to a call, those with the most credit first. */
const clicksOf = <Config>(facts: DeliveryFacts, platform: Platform<Config>, config: Config) => {
  const names = platform.clickIds(config);
  return facts.clicks.filter(({ ids }) => names.some((name) => ids[name]));
};

const creditOf = (clicks: readonly AdClick[]): number =>
  clicks.reduce((sum, { basisPoints }) => sum + basisPoints, 0);

/** Why a platform gets no conversion of a call, whatever its rules say. Null: it can. */
function whyNot<Config>(
  facts: DeliveryFacts,
  platform: Platform<Config>,
  config: Config,
): string | null {
  const clicks = clicksOf(facts, platform, config);
  if (clicks.length > 0 && creditOf(clicks) === 0)
    return 'The attribution model of its pool credits another source.';
  if (clicks.length > 0 || platform.knowsWithoutClick(facts, config)) return null;
  return `No click on an ad of ${platform.label} led to this call.`;
}

/** Cents of a call that the platform's clicks are credited with; null: none are sent. */
function valueOf<Config>(
  rule: DeliveryRule,
  clicks: readonly AdClick[],
  { facts, config }: Speech<Config>,
  platform: Platform<Config>,
): number | null {
  const fixed = platform.fixedValue?.(rule, config) ?? null;
  const whole =
    fixed !== null
      ? Math.round(fixed * 100)
      : rule.value.type === 'fixed_cents'
        ? rule.value.cents
        : rule.value.type === 'from_call'
          ? facts.valueCents
          : null;
  if (whole === null || clicks.length === 0) return whole;
  return Math.round((whole * creditOf(clicks)) / 10_000);
}

/** A configuration with its rules, of which the first that asks decides. */
type WithRules = { rules: readonly DeliveryRule[] };

/** What a place is to count of a call now, or why nothing. */
function wantedOf<Config extends WithRules>(
  place: string,
  speech: Speech<Config>,
  platform: Platform<Config>,
): Conversion | string {
  const { facts, config } = speech;
  const rules = [speech.rule, ...config.rules].filter(
    (one) => platform.placeOf(one, config) === place,
  );
  const rule = rules.find((one) => asks(one, facts));
  if (facts.isSpam) return 'The call was marked as spam.';
  if (!rule) return 'The call no longer meets the rule.';
  const reason = whyNot(facts, platform, config);
  if (reason !== null) return reason;
  const clicks = clicksOf(facts, platform, config);
  return { place, click: clicks[0] ?? null, valueCents: valueOf(rule, clicks, speech, platform) };
}

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
      ...next.now,
      counted: before?.counted ?? false,
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

const isTold = (before: Told, wanted: Conversion | string): boolean =>
  before.sure &&
  (typeof wanted === 'string'
    ? before.takenBack
    : !before.takenBack && before.valueCents === wanted.valueCents);

/**
 * What is sent next, what was told afterwards, and whether that is sure then: one of an ID is counted
 * once, so a second upload doesn't change the value of a first that may have arrived. Or why nothing is.
 */
function nextStep<Config extends WithRules>(
  before: Told | undefined,
  { place, wanted }: { place: string; wanted: Conversion | string },
  speech: Speech<Config>,
  platform: Platform<Config>,
):
  | StepsVerdict
  | {
      request: OutboundRequest;
      now: Pick<Told, 'valueCents' | 'takenBack'>;
      isSureThen: boolean;
    } {
  const skipped = (error: string): StepsVerdict => ({ state: 'skipped', error });
  if (!before && typeof wanted === 'string') return skipped(wanted);
  if (before && isTold(before, wanted))
    return speech.isRetry && typeof wanted !== 'string'
      ? { state: 'sent' }
      : skipped('Nothing changed since it was sent.');
  if (typeof wanted === 'string') {
    const [click = null] = clicksOf(speech.facts, platform, speech.config);
    const valueCents = before?.valueCents ?? null;
    const request = platform.takeBack?.({ place, click, valueCents }, speech);
    return request
      ? { request, now: { valueCents, takenBack: true }, isSureThen: true }
      : skipped(
          `${wanted} ${platform.label} can’t take back a conversion, so it stays counted there.`,
        );
  }
  const now = { valueCents: wanted.valueCents, takenBack: false };
  if (!before?.counted) {
    const refusal = platform.refuses?.(speech.facts, speech.now) ?? null;
    if (refusal !== null) return skipped(refusal);
    const isSureThen = before === undefined || platform.restate === undefined;
    return { request: platform.upload(wanted, speech), now, isSureThen };
  }
  const request = platform.restate?.(wanted, speech);
  return request
    ? { request, now, isSureThen: true }
    : skipped(`${platform.label} can’t change a conversion, so its value stays as it was sent.`);
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
});

/** Rules that also wait for an upload's delay, as far as a rule can. */
export const delayedRules = (rules: readonly DeliveryRule[], hours: number): DeliveryRule[] =>
  rules.map((rule) => ({ ...rule, delay_minutes: Math.max(rule.delay_minutes, hours * 60) }));
