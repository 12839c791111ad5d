/** What an advertising platform is to count of a call now. Everything is pure. */
import { unmetCondition, type DeliveryEvent } from '#contract/integrations/rules';
import type { DeliveryRule } from '#contract/integrations/schemas';
import type { AdClick, DeliveryFacts, Speech } from '../../gateways/destination.ts';
import type { Conversion, Platform, WithRules } from './conversion-platform.ts';

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
export const clicksOf = <Config>(
  facts: DeliveryFacts,
  platform: Platform<Config>,
  config: Config,
) => {
  const names = platform.clickIds(config);
  return facts.clicks.filter(({ ids }) => names.some((name) => ids[name]));
};

const creditOf = (clicks: readonly AdClick[]): number =>
  clicks.reduce((sum, { basisPoints }) => sum + basisPoints, 0);

/** Why a platform gets no conversion of a call, whatever its rules say. Null: it can. */
export function whyNot<Config>(
  facts: DeliveryFacts,
  platform: Platform<Config>,
  config: Config,
): string | null {
  const clicks = clicksOf(facts, platform, config);
  if (clicks.length > 0 && creditOf(clicks) === 0)
    return 'The attribution model credits another source.';
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

/** What a place is to count of a call now, or why nothing. */
export function wantedOf<Config extends WithRules>(
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
  const valueCents = valueOf(rule, clicks, speech, platform);
  return { place, click: clicks[0] ?? null, valueCents, generation: 0 };
}
