import { Skeleton } from '@mantine/core';
import type { Answer, organizations } from '#contract';
import { EmptyState, ErrorState, t, type Page } from '#ui';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import { useOrganization } from './use-organization.ts';

export type Organization = Answer<typeof organizations.getOrganization>['data'];

/** A page of the organization area, with the organization once it is loaded. */
export function OrganizationPage({
  children,
  action,
  ...page
}: Omit<React.ComponentProps<typeof Page>, 'children' | 'action'> & {
  children: (organization: Organization) => React.ReactNode;
  action?: (organization: Organization) => React.ReactNode;
}) {
  const { organization, error, refetch } = useOrganization();
  return (
    <SettingsFrame
      row="organization"
      {...page}
      action={organization ? action?.(organization) : undefined}
    >
      {organization ? (
        children(organization)
      ) : error ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <Skeleton height={120} aria-label={t('Loading')} />
      )}
    </SettingsFrame>
  );
}

/** What a list of the organization shows when nothing matches. */
export function NothingFound() {
  return <EmptyState title={t('No matches')}>{t('Try another name.')}</EmptyState>;
}
