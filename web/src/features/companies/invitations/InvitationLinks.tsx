import { Alert, Button, CopyButton, Group, Stack, TextInput } from '@mantine/core';
import { t } from '#ui';
import type { InvitationLink } from './use-invite-people.ts';

/** Links to hand over, where the server can't send mail. They are shown once. */
export function InvitationLinks({ links }: { links: readonly InvitationLink[] }) {
  return (
    <Stack gap="sm">
      <Alert color="yellow">
        {t(
          'This server can’t send email, so share each link yourself. It is shown only now. Later you can make a new one.',
        )}
      </Alert>
      {links.map(({ email, link }) => (
        <Group key={email} align="flex-end" gap="xs" wrap="nowrap">
          <TextInput label={email} readOnly value={link} flex={1} />
          <CopyButton value={link} timeout={1500}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy}>
                {copied ? t('Copied') : t('Copy link')}
              </Button>
            )}
          </CopyButton>
        </Group>
      ))}
    </Stack>
  );
}
