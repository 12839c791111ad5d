import { Alert, Anchor, Button, Text } from '@mantine/core';
import { invitations, type Answer } from '#contract';
import {
  navigate,
  selectCompany,
  session,
  startSession,
  t,
  toast,
  useApiMutation,
  type Tokens,
} from '#ui';
import { cache } from '../../../shared/query-client.ts';
import { signOut } from '../../../shared/sign-out.ts';
import { NewAccountForm } from './NewAccountForm.tsx';

type OpenInvitation = Answer<typeof invitations.openInvitationLink>['data'];

/** The one way this person can join: with a new account, by signing in, or at once. */
export function HowToJoin({ token, invitation }: { token: string; invitation: OpenInvitation }) {
  const { signed_in_as: signedInAs, email, account } = invitation;
  if (signedInAs !== null && signedInAs.toLowerCase() !== email.toLowerCase())
    return (
      <>
        <Alert color="yellow" role="alert">
          {t('You’re signed in as {other}. This invitation is for {email}.', {
            other: signedInAs,
            email,
          })}
        </Alert>
        <Button fullWidth onClick={() => void signOut()}>
          {t('Sign out')}
        </Button>
        <Anchor href="/" size="sm">
          {t('Stay signed in as {other}', { other: signedInAs })}
        </Anchor>
      </>
    );
  if (signedInAs !== null) return <JoinButton token={token} />;
  if (account === 'existing')
    return (
      <>
        <Text c="dimmed" fz="sm">
          {t('You already have an account. Sign in to join. Your password stays the same.')}
        </Text>
        <Button
          fullWidth
          component="a"
          href={`/login?next=${encodeURIComponent(`/invitations/${token}`)}`}
        >
          {t('Sign in to join')}
        </Button>
      </>
    );
  return <NewAccount token={token} invitation={invitation} />;
}

/** Opens the company that was joined. */
function openCompany(companyId: number): void {
  cache.clear();
  // The session may have loaded the person before they joined.
  session.set({ user: null, isCurrentUserStale: true });
  selectCompany(companyId);
  toast.success(t('Welcome. You’ve joined.'));
  navigate('/', { replace: true });
}

function JoinButton({ token }: { token: string }) {
  const { mutate, isPending } = useApiMutation(invitations.acceptInvitation, {
    onSuccess: ({ data }) => openCompany(data.company_id),
  });
  return (
    <Button
      fullWidth
      loading={isPending}
      onClick={() => void mutate({ params: { token }, body: {} })}
    >
      {t('Join')}
    </Button>
  );
}

function NewAccount({ token, invitation }: { token: string; invitation: OpenInvitation }) {
  return (
    <NewAccountForm
      token={token}
      firstName={invitation.first_name}
      lastName={invitation.last_name}
      onJoined={(answer) => {
        cache.clear();
        if (answer.token) startSession(answer.token as Tokens);
        openCompany(answer.data.company_id);
      }}
    />
  );
}
