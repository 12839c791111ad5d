import { ErrorState, Page, PageSkeleton, t } from '#ui';
import { useProfile, type Profile } from './use-profile.ts';

/** A page below the account, once the profile is read. */
export function AccountPage({
  title,
  about,
  children,
}: {
  title: string;
  about?: React.ReactNode;
  children: (profile: Profile) => React.ReactNode;
}) {
  const { profile, error, refetch } = useProfile();
  if (!profile && !error) return <PageSkeleton />;
  return (
    <Page
      title={title}
      description={about}
      back={{ href: '/caddy/account', label: t('Account') }}
      layout="read"
    >
      {profile ? children(profile) : <ErrorState error={error} retry={refetch} />}
    </Page>
  );
}
