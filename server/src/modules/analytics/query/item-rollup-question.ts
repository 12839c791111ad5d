import type { ItemGroup } from '#contract/analytics/dashboard/rules';
import type { ItemsAsked } from './items-asked.ts';
import { lastWholeDay, needsDays, spansOf, type Span } from './rollup-question.ts';

/** By what items are added up, as the database numbers it (366_item_rollups.sql). */
const dimensions = { nothing: 0, number: 1, person: 2, hour: 3, campaign: 4 } as const;
type Dimension = keyof typeof dimensions;

const dimensionOfGroup: Record<ItemGroup, Dimension> = {
  none: 'nothing',
  day: 'nothing',
  week: 'nothing',
  month: 'nothing',
  weekday: 'nothing',
  company: 'nothing',
  business_unit: 'nothing',
  hour: 'hour',
  number: 'number',
  user: 'person',
};

/** What sums answer a question about items: of one dimension, and of these keys of it. */
export interface ItemRollupQuestion {
  dimension: number;
  keys: readonly (readonly number[])[];
  spans: readonly Span[];
  /** The last of the whole days; the part of a day behind it is counted. */
  lastDay: string;
}

/**
 * How items that were added up answer a question; null: they don’t, because it asks by two things
 * at once. `only`: numbers of a person who is limited to some.
 */
export function itemRollupQuestion(
  {
    group,
    range,
    numberIds,
    userIds,
    fromCampaign,
  }: Pick<ItemsAsked, 'group' | 'range' | 'numberIds' | 'userIds' | 'fromCampaign'>,
  only: readonly number[] | null,
): ItemRollupQuestion | null {
  const limits: [Dimension, readonly number[] | null][] = [
    ['number', only],
    ['number', numberIds],
    ['person', userIds],
    ['campaign', fromCampaign === null ? null : [Number(fromCampaign)]],
  ];
  const limited = limits.filter(([, keys]) => keys !== null);
  const needed = new Set([dimensionOfGroup[group], ...limited.map(([dimension]) => dimension)]);
  needed.delete('nothing');
  const [one = 'nothing', ...more] = needed;
  if (more.length) return null;
  const lastDay = lastWholeDay(range);
  return {
    dimension: dimensions[one],
    keys: limited.flatMap(([, keys]) => (keys ? [keys] : [])),
    spans: spansOf({ ...range, end: lastDay }, needsDays(group)),
    lastDay,
  };
}

/** The same without a dimension: how many items the days have. */
export const allItems = (rollup: ItemRollupQuestion): ItemRollupQuestion => ({
  ...rollup,
  dimension: dimensions.nothing,
  keys: [],
});
