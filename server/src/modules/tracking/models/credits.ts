import type { AttributionModel, CreditFallback } from '#contract/tracking/pool-rules';
import { creditByWeight } from './shares.ts';
import { touchesOf, type ModelTouch, type ModelVisit } from './touches.ts';

/** What is known of a person besides their visits. */
export interface Milestones {
  /** When this person called or texted first, and from which visit; null: unknown. */
  lead: { at: Date; visitId: number | null } | null;
  /** When a call of this person was qualified first; null: never. */
  qualifiedAt: Date | null;
}
interface Credit {
  /** The first visit of the touch. */
  visitId: number;
  source: string;
  basisPoints: number;
}
interface Credits {
  credits: Credit[];
  fallback: CreditFallback | null;
}
const WEEK_MS = 7 * 86_400_000;

interface Question {
  touches: readonly ModelTouch[];
  at: Date;
  /** Places of the milestones among the touches; -1: none. */
  lead: number;
  qualified: number;
}
interface Weights {
  weights: number[];
  fallback?: CreditFallback;
}

/** All weight on these places; one that is named twice has twice as much. */
const only = ({ touches }: Question, ...places: number[]) =>
  touches.map((_, i) => places.filter((place) => place === i).length);

function positionBased({ touches }: Question): number[] {
  const middle = touches.length - 2;
  if (middle <= 0) return touches.map(() => 1);
  return touches.map((_, i) => (i === 0 || i === touches.length - 1 ? 2 * middle : 1));
}

/** 30 % for each milestone, 10 % for the rest; without a rest the milestones have it all. */
function wShaped(question: Question): Weights {
  const { lead, qualified } = question;
  if (lead < 0 || qualified < 0)
    return {
      weights: positionBased(question),
      fallback: lead < 0 ? 'lead_unknown' : 'qualified_unknown',
    };
  const times = only(question, 0, lead, qualified);
  const rest = times.filter((n) => n === 0).length;
  return { weights: times.map((n) => (n === 0 ? 1 : 3 * n * Math.max(1, rest))) };
}

const leadUnknown = (question: Question): Weights => ({
  weights: only(question, 0),
  fallback: 'lead_unknown',
});

/** Each model's weights of touches; there is at least one. */
const models: Record<AttributionModel, (question: Question) => Weights> = {
  first_touch: (question) => ({ weights: only(question, 0) }),
  last_touch: (question) => ({ weights: only(question, question.touches.length - 1) }),
  last_non_direct: (question) => ({ weights: only(question, question.touches.length - 1) }),
  lead_creation: (question) =>
    question.lead < 0 ? leadUnknown(question) : { weights: only(question, question.lead) },
  first_and_lead: (question) =>
    question.lead < 0 ? leadUnknown(question) : { weights: only(question, 0, question.lead) },
  linear: ({ touches }) => ({ weights: touches.map(() => 1) }),
  position_based: (question) => ({ weights: positionBased(question) }),
  time_decay: ({ touches, at }) => ({
    weights: touches.map((touch) => 2 ** (-(at.getTime() - touch.at.getTime()) / WEEK_MS)),
  }),
  w_shaped: wShaped,
};

const lastUntil = (touches: readonly ModelTouch[], at: Date) =>
  touches.findLastIndex((touch) => touch.at <= at);

function leadPlace(touches: readonly ModelTouch[], lead: Milestones['lead']): number {
  if (!lead) return -1;
  const { visitId, at } = lead;
  const own =
    visitId === null ? -1 : touches.findIndex(({ visitIds }) => visitIds.includes(visitId));
  return own >= 0 ? own : lastUntil(touches, at);
}

/**
 * What a model gives the visits before a call (A8.6), in basis points that sum to 10,000. Pure: the
 * order of `visits` doesn't matter. Without visits there are no credits.
 * @param at when the call came
 */
export function creditsOf(
  model: AttributionModel,
  visits: readonly ModelVisit[],
  at: Date,
  { lead, qualifiedAt }: Milestones,
): Credits {
  // The last touch is the last visit, whatever it was: that is what sets it apart.
  const touches = touchesOf(visits, { countsDirect: model === 'last_touch' });
  if (touches.length === 0) return { credits: [], fallback: null };
  const { weights, fallback = null } = models[model]({
    touches,
    at,
    lead: leadPlace(touches, lead),
    qualified: qualifiedAt === null ? -1 : lastUntil(touches, qualifiedAt),
  });
  const points = creditByWeight(weights);
  const credits = touches
    .map(({ id, source }, i) => ({ visitId: id, source, basisPoints: points[i] ?? 0 }))
    .filter((_, i) => (weights[i] ?? 0) > 0);
  return { credits, fallback };
}
