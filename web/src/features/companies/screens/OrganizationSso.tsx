import { Skeleton, Stack } from '@mantine/core';
import { sso } from '#contract';
import { ErrorState, t, useApiQuery } from '#ui';
import { OrganizationPage, type Organization } from '../organization/OrganizationPage.tsx';
import { AccessRules } from '../sso/AccessRules.tsx';
import { Directory } from '../sso/Directory.tsx';
import { Domains } from '../sso/Domains.tsx';
import { OnlySso } from '../sso/OnlySso.tsx';
import { ProviderSection } from '../sso/ProviderSection.tsx';
import { ProviderGuide } from '../sso/ProviderGuide.tsx';

/** How the organization's people sign in through its own provider. */
export default function OrganizationSso() {
  return (
    <OrganizationPage
      title={t('Single sign-on')}
      description={t('People in your organization sign in with the account they have at work.')}
    >
      {(organization) => <Sso key={organization.id} organization={organization} />}
    </OrganizationPage>
  );
}

function Sso({ organization }: { organization: Organization }) {
  const { id } = organization;
  const { response, error, refetch } = useApiQuery(sso.getSso, { params: { id } });
  if (error) return <ErrorState error={error} retry={refetch} />;
  if (!response) return <Skeleton height={320} aria-busy />;
  const { data } = response;
  return (
    <Stack gap="xl">
      <ProviderSection
        key={data.connection?.updated_at ?? 'new'}
        organizationId={id}
        connection={data.connection}
        redirectUri={data.redirect_uri}
      />
      <Domains organizationId={id} domains={data.domains} isSimulated={data.simulated_dns} />
      <OnlySso organizationId={id} name={organization.name} only={data.only} />
      <AccessRules
        key={JSON.stringify(data.access)}
        organization={organization}
        rules={data.access}
      />
      <Directory organizationId={id} scim={data.scim} />
      <ProviderGuide />
    </Stack>
  );
}
