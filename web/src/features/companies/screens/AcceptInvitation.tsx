import { Blockquote, Button, Loader, Stack, Text } from '@mantine/core';
import { invitations } from '#contract';
import { ErrorState, t, useApiQuery, type ApiError } from '#ui';
import { AuthFrame } from '../../../shared/AuthFrame.tsx';
import { useParam } from '../../../shared/params.ts';
import { roleLabel } from '../invitations/invitation-texts.ts';
import { HowToJoin } from '../invitations/HowToJoin.tsx';

/** Where the link of an invitation leads: the person joins with a new account or their own. */
export default function AcceptInvitation() {
  const token = useParam('token');
  const { response, error, refetch } = useApiQuery(
    invitations.openInvitationLink,
    { params: { token } },
    { silent: true, skipsSessionCheck: true, refetchOnMount: true },
  );
  if (error) return <ClosedInvitation error={error} refetch={refetch} />;
  if (!response)
    return (
      <AuthFrame title={t('Invitation')}>
        <Loader size="sm" aria-label={t('Loading')} />
      </AuthFrame>
    );
  const { data } = response;
  return (
    <AuthFrame title={t('Join {company}', { company: listOf(data.companies) })}>
      <Stack gap="md">
        <Text>
          {t('{inviter} invited {email} as {role}.', {
            inviter: data.invited_by,
            email: data.email,
            role: roleLabel(data.role),
          })}
        </Text>
        {data.message && <Blockquote p="sm">{data.message}</Blockquote>}
        <HowToJoin token={token} invitation={data} />
      </Stack>
    </AuthFrame>
  );
}

const listOf = (names: readonly string[]): string =>
  new Intl.ListFormat('en', { type: 'conjunction' }).format(names);

/** The link doesn't work: expired, withdrawn, used, or the server is away. */
function ClosedInvitation({ error, refetch }: { error: ApiError; refetch: () => void }) {
  const isClosed = error.status === 410 || error.status === 409;
  return (
    <AuthFrame title={t('Invitation')} {...(isClosed && { about: error.text })}>
      {isClosed ? (
        <Button component="a" href="/login" fullWidth>
          {t('Log in')}
        </Button>
      ) : (
        <ErrorState error={error} retry={refetch} />
      )}
    </AuthFrame>
  );
}
