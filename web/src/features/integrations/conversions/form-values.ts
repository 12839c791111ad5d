import type { z } from 'zod';
import type { deliveryRule } from '#contract/integrations/schemas';
import { rulesOf, whenOf, type When } from '../WhenFields.tsx';

type Rule = z.input<typeof deliveryRule>;

/** What all advertising platforms are set up with. */
export interface ConversionValues extends When {
  value: 'none' | 'from_call' | 'fixed_cents';
  /** Dollars, of a fixed value. */
  dollars: number | string;
  /** Minutes as text. */
  delay: string;
}

/** The form of an account’s rules. */
export function conversionValues(rules: readonly Rule[] | undefined): ConversionValues {
  const { value, delay_minutes: delay } = rules?.[0] ?? {};
  return {
    ...whenOf(rules, ['qualified']),
    value: value?.type ?? 'from_call',
    dollars: value?.type === 'fixed_cents' ? value.cents / 100 : 50,
    // Meanwhile people change their mind about a call.
    delay: String(delay ?? 1440),
  };
}

/** Rules for the form; what it has no field for stays. */
export function conversionRules(
  { value, dollars, delay, events, minDuration, numbers, sources }: ConversionValues,
  before: readonly Rule[] | undefined,
): Rule[] {
  return rulesOf({ events, minDuration, numbers, sources }, before, {
    value:
      value === 'fixed_cents'
        ? { type: value, cents: Math.round(Number(dollars) * 100) || 0 }
        : { type: value },
    delay_minutes: Number(delay),
  });
}

/** The form’s fields by how the API names them. */
export const conversionFieldNames: Readonly<Record<string, string>> = { rules: 'events' };
