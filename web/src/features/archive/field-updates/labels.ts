import type { FieldUpdateState, UpdatableType } from '#contract/archive/field-updates/rules';
import type { Tone } from '#ui';
import { t } from '#ui';

/** What a file can be about, in the plural. */
export const typeName = (type: UpdatableType): string =>
  ({
    number: t('Numbers'),
    'tracking-pool': t('Tracking pools'),
    contact: t('Contacts'),
    call: t('Calls'),
    user: t('People'),
    company: t('Company'),
  })[type];

/** The state of a file in a word. */
export const stateName = (state: FieldUpdateState): string =>
  ({
    running: t('Applying'),
    finished: t('Done'),
    failed: t('Failed'),
    undoing: t('Undoing'),
    undone: t('Undone'),
  })[state];

/** Its color. */
export const stateTone = (state: FieldUpdateState): Tone =>
  (
    {
      running: 'info',
      finished: 'success',
      failed: 'danger',
      undoing: 'info',
      undone: 'neutral',
    } as const
  )[state];

/** The permission that changing many such objects needs besides editing fields. */
export const permissionOf: Record<UpdatableType, string> = {
  number: 'numbers.buy',
  'tracking-pool': 'dni.edit',
  contact: 'contacts.bulk',
  call: 'calls.edit',
  user: 'users.edit',
  company: 'company.edit',
};
