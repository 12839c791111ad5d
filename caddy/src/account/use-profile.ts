import { useEffect } from 'react';
import { caddy, type Answer } from '#contract';
import { plans, type PlanId } from '#contract/billing/plans';
import { formatPhoneNumber, useApiQuery } from '#ui';
import { setDateLocale } from '../date-locale.ts';

export type Profile = Answer<typeof caddy.getCaddyProfile>['data'];

/** The person's profile, once it is read. */
export function useProfile() {
  const { response, error, refetch } = useApiQuery(
    caddy.getCaddyProfile,
    {},
    { silent: true, staleTime: 60_000 },
  );
  const locale = response?.data.locale;
  useEffect(() => {
    // It may have been changed on another device.
    if (locale) setDateLocale(locale);
  }, [locale]);
  return { profile: response?.data, error, refetch };
}

/** How the person is called: by name, else by what they sign in with. */
export const nameOf = ({ firstName, lastName, email, phone }: Profile): string =>
  `${firstName} ${lastName}`.trim() || email || formatPhoneNumber(phone ?? '');

/** What a plan of the catalogue is called. */
export const nameOfPlan = (plan: string): string => plans[plan as PlanId].name;
