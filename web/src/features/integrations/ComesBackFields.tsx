import { Checkbox, Divider } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { t } from '#ui';

/** What of a CRM comes back. */
export interface ComesBack {
  readsNames: boolean;
  assignsOwners: boolean;
}
interface ComesBackConfig {
  read_names?: boolean | undefined;
  assign_owners?: boolean | undefined;
}

/** The form of what comes back. */
export const comesBackOf = (config: ComesBackConfig): ComesBack => ({
  readsNames: config.read_names ?? true,
  assignsOwners: config.assign_owners ?? false,
});
/** What the API gets for it. */
export const comesBackBody = (values: ComesBack) => ({
  read_names: values.readsNames,
  assign_owners: values.assignsOwners,
});
/** What of it an account's card says. */
export function comesBackText(config: ComesBackConfig): string {
  const { readsNames, assignsOwners } = comesBackOf(config);
  if (readsNames) return assignsOwners ? t('Names and owners') : t('Names');
  return assignsOwners ? t('Owners') : t('Nothing');
}

/** Chooses what of a CRM comes back. */
export function ComesBackFields({
  crm,
  field,
}: {
  crm: string;
  field: UseFormReturnType<ComesBack>['getInputProps'];
}) {
  return (
    <>
      <Divider label={t('What comes back')} labelPosition="left" />
      <Checkbox
        label={t('Fill in names from {crm}', { crm })}
        description={t(
          'Names and companies of contacts that have none here. Names that were typed or imported are kept.',
        )}
        {...field('readsNames', { type: 'checkbox' })}
      />
      <Checkbox
        label={t('Assign conversations to owners')}
        description={t(
          'Unassigned conversations go to the owner in {crm}, found by email address. Assignments made here are kept.',
          { crm },
        )}
        {...field('assignsOwners', { type: 'checkbox' })}
      />
    </>
  );
}
