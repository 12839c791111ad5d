import { MultiSelect } from '@mantine/core';
import { numbers, tracking } from '#contract';
import { deliveryEvents, type DeliveryEvent } from '#contract/integrations/rules';
import { formatPhoneNumber, NumberInput, t, useApiQuery, useCompanyId, usePermission } from '#ui';
import { eventLabel } from '../../shared/delivery-labels.ts';

/** What the fields edit: one filter for all events. */
export interface When {
  events: string[];
  minDuration: number | string;
  /** IDs; none: every number. */
  numbers: string[];
  /** Keys; none: every source. */
  sources: string[];
}
/** `getInputProps` of the form. */
type Field<Name extends keyof When> = (name: Name) => object;

/** Which events are delivered, and how long a call must be. */
export const WhenFields = ({
  label,
  required = false,
  events = deliveryEvents,
  field,
}: {
  label: string;
  required?: boolean;
  /** Those that can be chosen; left out: all. */
  events?: readonly DeliveryEvent[];
  field: Field<'events' | 'minDuration'>;
}) => (
  <>
    <MultiSelect
      label={label}
      required={required}
      data={events.map((value) => ({ value, label: eventLabel(value) }))}
      {...field('events')}
    />
    <NumberInput
      label={t('Shortest call')}
      suffix={t(' seconds')}
      min={0}
      max={86_400}
      allowDecimal={false}
      {...field('minDuration')}
    />
  </>
);

/** Of which numbers and sources they are. Sources are for those who can see tracking. */
export function NarrowFields({
  values,
  field,
}: {
  values: Pick<When, 'numbers' | 'sources'>;
  field: Field<'numbers' | 'sources'>;
}) {
  const companyId = useCompanyId() ?? 0;
  const seesSources = usePermission('dni.view');
  const options = { silent: true, staleTime: 60_000 };
  const mine = useApiQuery(numbers.listNumbersOfCompany, { params: { id: companyId } }, options);
  const sources = useApiQuery(
    tracking.listSources,
    { params: { companyId } },
    { ...options, enabled: seesSources },
  );
  return (
    <>
      <MultiSelect
        label={t('Numbers')}
        placeholder={values.numbers.length > 0 ? '' : t('All numbers')}
        searchable
        data={withKept(
          (mine.response?.data ?? []).map(({ id, number, label }) => ({
            value: String(id),
            label: label || formatPhoneNumber(number),
          })),
          values.numbers,
        )}
        {...field('numbers')}
      />
      {seesSources && (
        <MultiSelect
          label={t('Sources')}
          placeholder={values.sources.length > 0 ? '' : t('All sources')}
          searchable
          data={withKept(
            (sources.response?.data ?? []).map(({ key, label }) => ({ value: key, label })),
            values.sources,
          )}
          {...field('sources')}
        />
      )}
    </>
  );
}

/** What was chosen stays chosen where the list lacks it, as a number that this person can’t see. */
const withKept = (options: { value: string; label: string }[], chosen: readonly string[]) => [
  ...options,
  ...chosen
    .filter((value) => !options.some((one) => one.value === value))
    .map((value) => ({ value, label: value })),
];

interface Rule {
  event: DeliveryEvent;
  min_duration?: number | undefined;
  number_ids?: number[] | undefined;
  sources?: string[] | undefined;
}

const filterOf = (rule: Rule | undefined): Omit<When, 'events'> => ({
  minDuration: rule?.min_duration ?? 0,
  numbers: (rule?.number_ids ?? []).map(String),
  sources: rule?.sources ?? [],
});

/** The form of rules; undefined: of none yet, so these events are chosen. */
export const whenOf = (rules: readonly Rule[] | undefined, events: DeliveryEvent[]): When => ({
  events: rules?.map(({ event }) => event) ?? events,
  ...filterOf(rules?.[0]),
});

/**
 * A rule for each chosen event. What the form has no field for, and a filter that wasn't changed, stay
 * as each event had them.
 */
export function rulesOf<R extends Rule, More extends object>(
  { events, ...filter }: When,
  before: readonly R[] | undefined,
  more: More,
) {
  const isKept = JSON.stringify(filterOf(before?.[0])) === JSON.stringify(ordered(filter));
  return (events as DeliveryEvent[]).map((event) => {
    const own = before?.find((rule) => rule.event === event);
    return {
      ...own,
      event,
      ...(!(isKept && own) && {
        min_duration: Number(filter.minDuration) || 0,
        number_ids: filter.numbers.map(Number),
        sources: filter.sources,
      }),
      ...more,
    };
  });
}

/** Its fields in the order of `filterOf`. */
const ordered = ({ minDuration, numbers, sources }: Omit<When, 'events'>) => ({
  minDuration: Number(minDuration) || 0,
  numbers,
  sources,
});
