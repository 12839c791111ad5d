import type { DataGroupType } from '#contract/companies/data-groups/rules';
import { t } from '#ui';

/** The kinds of items of a data group, in the order in which they are listed. */
export const kindLabels = (): Record<DataGroupType, string> => ({
  company: t('Companies'),
  number: t('Numbers'),
  dniPool: t('Tracking pools'),
  user: t('Users'),
  tag: t('Tags'),
});
