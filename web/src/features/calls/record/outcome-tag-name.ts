import type { outcomeTags } from '#contract/calls/rules';
import { t } from '#ui';

/** What an outcome of a call is called. */
export const outcomeTagName = (tag: (typeof outcomeTags)[number]): string =>
  ({
    appt_booked: t('Appointment booked'),
    vehicle_ordered: t('Vehicle ordered'),
    parts_ordered: t('Parts ordered'),
    get_back_commitment: t('Callback promised'),
    not_opportunity: t('Not an opportunity'),
    opportunity: t('Opportunity'),
    unknown: t('Unknown'),
  })[tag];
