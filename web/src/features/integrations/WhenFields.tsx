import { MultiSelect } from '@mantine/core';
import { deliveryEvents, type DeliveryEvent } from '#contract/integrations/rules';
import { NumberInput, t } from '#ui';
import { eventLabel } from './labels.ts';

/** What the two fields edit: one filter for all events. */
export interface When {
  events: string[];
  minDuration: number | string;
}

/** Which events are delivered, and how long a call must be. */
export const WhenFields = ({
  label,
  required = false,
  field,
}: {
  label: string;
  required?: boolean;
  /** `getInputProps` of the form. */
  field: (name: keyof When) => object;
}) => (
  <>
    <MultiSelect
      label={label}
      required={required}
      data={deliveryEvents.map((value) => ({ value, label: eventLabel(value) }))}
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

/** The form of rules; undefined: of none yet, so these events are chosen. */
export const whenOf = (
  rules: readonly { event: DeliveryEvent; min_duration?: number | undefined }[] | undefined,
  events: DeliveryEvent[],
): When => ({
  events: rules?.map(({ event }) => event) ?? events,
  minDuration: rules?.[0]?.min_duration ?? 0,
});

/** A rule for each chosen event; what the form has no field for stays as it was. */
export const rulesOf = <Rule extends { event: DeliveryEvent }, More extends object>(
  { events, minDuration }: When,
  before: readonly Rule[] | undefined,
  more: More,
) =>
  (events as DeliveryEvent[]).map((event) => ({
    ...before?.find((rule) => rule.event === event),
    event,
    min_duration: Number(minDuration) || 0,
    ...more,
  }));
