import { useState } from 'react';
import { Stack, TextInput } from '@mantine/core';
import { conversations } from '#contract';
import { formFields, navigate, Page, PageSkeleton, t, useApiMutation } from '#ui';
import { FormError } from '../FormError.tsx';
import { useFromNumber } from '../numbers/FromNumber.tsx';
import { useNumbers } from '../use-numbers.ts';
import { Writing } from './Composer.tsx';

/** A text to someone new: from which number, to whom. */
export default function NewText() {
  const { active } = useNumbers();
  const { from, field } = useFromNumber(active ?? []);
  const [to, setTo] = useState('');
  const [draft, setDraft] = useState<{ text: string; files: File[] }>({ text: '', files: [] });
  const { mutate, isPending, error } = useApiMutation(conversations.sendMessage, {
    silent: true,
    invalidates: [conversations.listConversations],
  });
  if (!active) return <PageSkeleton />;
  const send = async (): Promise<void> => {
    const { text, files } = draft;
    const body = { numberId: from?.id, to, message: text.trim() };
    const sent = await mutate({
      body: formFields({ ...body, ...(files.length && { media: files }) }),
    });
    if (sent) navigate(`/caddy/threads/${sent.data.conversationId}`, { replace: true });
  };
  return (
    <Page title={t('New text')} back={{ href: '/caddy/', label: t('Messages') }}>
      <Stack gap="md">
        {!error?.fields['to'] && <FormError error={error} />}
        {field}
        <TextInput
          label={t('To')}
          type="tel"
          inputMode="tel"
          autoFocus
          placeholder="(212) 555-0142"
          value={to}
          error={error?.fields['to']}
          onChange={(e) => setTo(e.currentTarget.value)}
        />
        <Writing
          {...draft}
          ourNumber={from?.number ?? ''}
          isSending={isPending || !to.trim()}
          onChange={(text, files) => setDraft({ text, files })}
          onSend={() => void send()}
        />
      </Stack>
    </Page>
  );
}
