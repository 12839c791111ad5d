import { useEffect, useState } from 'react';
import { Button, Select, Textarea, TextInput } from '@mantine/core';
import { conversations } from '#contract';
import { normalizePhone } from '#contract/phone';
import { formFields, navigate, Modal, formatKeys, t, useApiMutation } from '#ui';
import { draftKey, useDraft } from './drafts.ts';
import { selectFiles } from './select-files.ts';
import { acceptedFiles } from './media.ts';
import { MediaTray } from './MediaTray.tsx';
import { SegmentCounter } from './SegmentCounter.tsx';
import { tooLong } from './segments.ts';
import { newClientKey } from './sending.ts';
import { conversationHref } from '../list/use-inbox.ts';
import { useOurNumbers } from '../use-our-numbers.ts';
import css from './NewConversation.module.css';

const lastNumberKey = 'trunkline.lastNumber';
const lastUsedNumberId = (): string | null => {
  try {
    return localStorage.getItem(lastNumberKey);
  } catch {
    return null;
  }
};

/**
 * Starts a conversation with a new contact, or with an existing one from another of the company's
 * numbers.
 */
export function NewConversation({
  opened,
  onClose,
  to: recipient = '',
}: {
  opened: boolean;
  onClose: () => void;
  to?: string;
}) {
  const numbers = useOurNumbers().filter((n) => n.canText);
  const [from, setFrom] = useState<string | null>(null);
  const [to, setTo] = useState(recipient);
  const [problem, setProblem] = useState<{ to?: string; files?: string }>({});
  const { text, files, setText, setFiles } = useDraft(draftKey('new'));
  const { mutate, isPending } = useApiMutation(conversations.sendMessage, {
    invalidates: [conversations.listConversations],
    onSuccess: (response) => {
      setText('');
      setFiles([]);
      setTo('');
      onClose();
      navigate(conversationHref(response.data.conversationId));
    },
  });
  useEffect(() => {
    if (!from && numbers.length > 0)
      setFrom(
        String(numbers.find((n) => String(n.id) === lastUsedNumberId())?.id ?? numbers[0]!.id),
      );
  }, [numbers, from]);
  const ours = numbers.find((n) => String(n.id) === from);
  const wrong = tooLong(text, files.length > 0);
  const isEmpty = text.trim() === '' && files.length === 0;

  const send = (): void => {
    const number = normalizePhone(to);
    if (!number) return setProblem({ to: t('Enter a phone number with area code.') });
    setProblem({});
    try {
      localStorage.setItem(lastNumberKey, from!);
    } catch {
      /* then nothing is remembered */
    }
    void mutate({
      body: formFields({
        numberId: Number(from),
        to: number,
        message: text.trim(),
        clientKey: newClientKey(),
        ...(files.length && { media: files }),
      }),
    });
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('New conversation')}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form
        className={css.form}
        onSubmit={(e) => {
          e.preventDefault();
          if (!isEmpty && !wrong && from) send();
        }}
      >
        <Select
          label={t('From')}
          data={numbers.map((n) => ({
            value: String(n.id),
            label: n.label === n.formatted ? n.label : `${n.label}  ${n.formatted}`,
          }))}
          value={from}
          onChange={setFrom}
          allowDeselect={false}
          searchable={numbers.length > 8}
          disabled={numbers.length === 0}
          description={
            numbers.length === 0 ? t('None of your numbers can send texts yet.') : undefined
          }
        />
        <TextInput
          data-autofocus
          type="tel"
          label={t('To')}
          placeholder="(212) 555-0147"
          autoComplete="off"
          value={to}
          error={problem.to}
          onChange={(e) => {
            setTo(e.currentTarget.value);
            setProblem({});
          }}
        />
        <div>
          {files.length > 0 && (
            <MediaTray
              files={files}
              onRemove={(gone) => setFiles(files.filter((f) => f !== gone))}
            />
          )}
          <Textarea
            label={t('Message')}
            minRows={3}
            maxRows={10}
            value={text}
            error={wrong ? t(wrong) : problem.files}
            onChange={(e) => setText(e.currentTarget.value)}
            onKeyDown={(e) => {
              if (e.key === 'Enter' && (e.metaKey || e.ctrlKey)) {
                e.preventDefault();
                e.currentTarget.form?.requestSubmit();
              }
            }}
          />
          <div className={css.under}>
            <label className={css.attach}>
              {t('Attach files')}
              <input
                type="file"
                multiple
                accept={acceptedFiles}
                onChange={(e) => {
                  const chosen = selectFiles(
                    files,
                    [...(e.currentTarget.files ?? [])],
                    ours?.number ?? '',
                  );
                  setFiles(chosen.files);
                  setProblem(chosen.problem ? { files: chosen.problem } : {});
                  e.currentTarget.value = '';
                }}
              />
            </label>
            <SegmentCounter text={text} media={files.length > 0} onPlain={setText} />
          </div>
        </div>
        <Button
          type="submit"
          loading={isPending}
          disabled={isEmpty || Boolean(wrong) || !from}
          title={formatKeys('mod+Enter').join(' ')}
        >
          {t('Send')}
        </Button>
      </form>
    </Modal>
  );
}
