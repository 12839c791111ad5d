import { useState } from 'react';
import { Button, Tooltip } from '@mantine/core';
import { IconMessage } from '@tabler/icons-react';
import { conversations } from '#contract';
import { apiErrors } from '#contract/errors';
import { Hidden, lazyComponent, t, useApiQuery } from '#ui';
import { partyFor } from '../../../shared/hidden-party.ts';
import { displayNumber, type Contact } from '../../contacts/index.ts';

const NewConversation = lazyComponent(
  async () => (await import('../composer/NewConversation.tsx')).NewConversation,
);

/**
 * Opens the contact's conversation: the newest if there are several, a new one if there is none.
 * Shows the reason when texting is blocked.
 */
export function TextButton({ contact: c, blocked }: { contact: Contact; blocked: boolean }) {
  const found = useApiQuery(
    conversations.listConversations,
    { query: { search: partyFor(c.number, `contact:${c.id}`), perPage: 5 } },
    { silent: true },
  );
  const known = found.response?.data.find((one) => one.contact?.id === c.id);
  const [writing, setWriting] = useState(false);
  const icon = <IconMessage size={16} aria-hidden />;
  const why = c.unsubscribed
    ? t(apiErrors['contact.unsubscribed'].text)
    : blocked
      ? t('This contact is blocked. Unblock them to send a message.')
      : null;
  if (why)
    return (
      <Tooltip label={why}>
        <Button
          leftSection={icon}
          variant="default"
          data-disabled
          aria-disabled
          onClick={(e) => e.preventDefault()}
        >
          {t('Text')}
          <Hidden> {why}</Hidden>
        </Button>
      </Tooltip>
    );
  if (known)
    return (
      <Button leftSection={icon} component="a" href={`/inbox/${known.id}`}>
        {t('Text')}
      </Button>
    );
  return (
    <>
      <Button leftSection={icon} onClick={() => setWriting(true)}>
        {t('Text')}
      </Button>
      <NewConversation
        opened={writing}
        onClose={() => setWriting(false)}
        to={displayNumber(c.number)}
        party={partyFor(c.number, `contact:${c.id}`)}
      />
    </>
  );
}
