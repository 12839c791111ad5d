import { useState } from 'react';
import { Alert, Button, Group, List, Select, Skeleton, Stack, Text } from '@mantine/core';
import { oauthProvider, type Answer } from '#contract';
import { ErrorState, session, t, useApiMutation, useApiQuery, useUser } from '#ui';
import { AuthFrame } from '../../../shared/AuthFrame.tsx';
import { scopeSentence } from '../applications/scope-sentence.ts';

type Request = Answer<typeof oauthProvider.getConsentContext>['data'];

/** Asks the person whether a program may act for them, and in which company. */
export default function OAuthConsent() {
  const { response, error, refetch } = useApiQuery(
    oauthProvider.getConsentContext,
    {},
    { silent: true },
  );
  if (error)
    return (
      <AuthFrame title={t('Connect an application')}>
        {error.code === 'oauth.request_expired' ? (
          <Alert color="yellow">{error.text}</Alert>
        ) : (
          <ErrorState error={error} retry={refetch} />
        )}
      </AuthFrame>
    );
  if (!response)
    return (
      <AuthFrame title={t('Connect an application')}>
        <Skeleton height={160} />
      </AuthFrame>
    );
  return <Consent request={response.data} />;
}

function Consent({ request }: { request: Request }) {
  const user = useUser();
  const companies = (user?.companies ?? []).filter(({ id }) =>
    request.companies.some((one) => one.id === id),
  );
  const selected = session.get().selectedCompanyId;
  const [company, setCompany] = useState(
    () => companies.find(({ id }) => id === selected)?.id ?? companies[0]?.id ?? null,
  );
  const { mutate, isPending } = useApiMutation(oauthProvider.decideConsent, {
    onSuccess: ({ data }) => window.location.assign(data.redirect_to),
  });
  const decide = (allow: boolean): void =>
    void mutate({ body: { allow, ...(allow && { for_company_id: company }) } });
  return (
    <AuthFrame
      title={t('Connect {application}?', { application: request.application })}
      about={t('Signed in as {email}. You return to {host}.', {
        email: user?.email ?? '',
        host: request.redirect_host,
      })}
    >
      <Stack gap="md">
        {request.registered_itself && (
          <Alert color="yellow">
            {t('No one has checked this application. Allow it only if you know who made it.')}
          </Alert>
        )}
        <Requested
          identity={request.identity}
          scopes={request.companies.find(({ id }) => id === company)?.scopes ?? []}
        />
        {companies.length > 0 ? (
          <Select
            label={t('Company')}
            description={t('Access is limited to this company and to your role in it.')}
            allowDeselect={false}
            data={companies.map(({ id, name }) => ({ value: String(id), label: name }))}
            value={company === null ? null : String(company)}
            onChange={(id) => setCompany(Number(id))}
          />
        ) : (
          <Alert color="yellow">
            {t('None of your companies allows this application, so you can’t connect it.')}
          </Alert>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" disabled={isPending} onClick={() => decide(false)}>
            {t('Deny')}
          </Button>
          <Button loading={isPending} disabled={company === null} onClick={() => decide(true)}>
            {t('Allow')}
          </Button>
        </Group>
      </Stack>
    </AuthFrame>
  );
}

function Requested({ identity, scopes }: Pick<Request, 'identity' | 'scopes'>) {
  const about = identity.includes('name')
    ? identity.includes('email')
      ? t('See your name and email address')
      : t('See your name')
    : identity.includes('email')
      ? t('See your email address')
      : t('Recognize you when you come back');
  return (
    <div>
      <Text mb={4}>{t('It could:')}</Text>
      <List>
        <List.Item>{about}</List.Item>
        {scopes.map((scope) => (
          <List.Item key={scope}>{scopeSentence(scope)}</List.Item>
        ))}
      </List>
    </div>
  );
}
