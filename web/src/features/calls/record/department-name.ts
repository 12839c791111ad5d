import type { departments } from '#contract/calls/rules';
import { t } from '#ui';

/** What a department of a call is called. */
export const departmentName = (department: (typeof departments)[number]): string =>
  ({
    sales: t('Sales'),
    service: t('Service'),
    parts: t('Parts'),
    trade: t('Trade'),
    credit: t('Credit'),
    body_shop: t('Body shop'),
    admin: t('Admin'),
    accessories: t('Accessories'),
    hr: t('HR'),
    custom_shop: t('Custom shop'),
    rentals: t('Rentals'),
    unknown: t('Unknown'),
    quick_lube: t('Quick lube'),
  })[department];
