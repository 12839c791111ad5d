import { useState } from 'react';
import { Button, Textarea, TextInput } from '@mantine/core';
import { conversations } from '#contract';
import { normalizePhone } from '#contract/phone';
import { formFields, navigate, Modal, formatKeys, t, useApiMutation } from '#ui';
import { draftKey, useDraft } from './drafts.ts';
import { FromNumber, useFromNumber } from './FromNumber.tsx';
import { selectFiles } from '#ui/messaging/select-files.ts';
import { acceptedFiles } from '#ui/messaging/media.ts';
import { MediaTray } from './MediaTray.tsx';
import { SegmentCounter } from './SegmentCounter.tsx';
import { tooLong } from './segments.ts';
import { newClientKey } from './sending.ts';
import { conversationHref } from '../list/use-inbox.ts';
import { useOurNumbers, type OurNumber } from '../use-our-numbers.ts';
import css from './NewConversation.module.css';

const lastNumberKey = 'trunkline.lastNumber';
const isLastUsed = ({ id }: OurNumber): boolean => {
  try {
    return localStorage.getItem(lastNumberKey) === String(id);
  } catch {
    return false;
  }
};
const rememberNumber = (id: number): void => {
  try {
    localStorage.setItem(lastNumberKey, String(id));
  } catch {
    /* then nothing is remembered */
  }
};

interface NewConversationProps {
  opened: boolean;
  onClose: () => void;
  to?: string;
  /** How the request names `to` (`partyFor`). */
  party?: string;
}

/**
 * Starts a conversation with a new contact, or with an existing one from another of the company's
 * numbers.
 */
export function NewConversation({ opened, onClose, to = '', party = to }: NewConversationProps) {
  // Kept here, because closing the dialog discards what is in it.
  const message = useFirstMessage({ to, party }, onClose);
  const { numbers, from, setFrom, problem } = message;
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
          message.send();
        }}
      >
        <FromNumber
          numbers={numbers}
          none={t('None of your numbers can send texts yet.')}
          value={from}
          onChange={setFrom}
          searchable={numbers.length > 8}
        />
        <TextInput
          data-autofocus
          type="tel"
          label={t('To')}
          placeholder="(212) 555-0147"
          autoComplete="off"
          value={message.to}
          error={problem.to}
          onChange={(e) => message.setTo(e.currentTarget.value)}
        />
        <TextAndFiles message={message} />
        <Button
          type="submit"
          loading={message.isPending}
          disabled={!message.canSend}
          title={formatKeys('mod+Enter').join(' ')}
        >
          {t('Send')}
        </Button>
      </form>
    </Modal>
  );
}

/** What the form holds; sending opens the conversation. */
function useFirstMessage(recipient: { to: string; party: string }, onClose: () => void) {
  const numbers = useOurNumbers().filter((n) => n.canText);
  const [from, setFrom] = useFromNumber(numbers, isLastUsed);
  const [to, setTo] = useState(recipient.to);
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
  const tooLongText = tooLong(text, files.length > 0);
  const textProblem = tooLongText === null ? null : t(tooLongText);
  const isEmpty = text.trim() === '' && files.length === 0;
  const canSend = !isEmpty && !textProblem && from !== null;

  const send = (): void => {
    if (!canSend) return;
    const isHidden = to === recipient.to && to.includes('•');
    const number = isHidden ? recipient.party : normalizePhone(to);
    if (!number) return setProblem({ to: t('Enter a phone number with area code.') });
    setProblem({});
    rememberNumber(from);
    void mutate({
      body: formFields({
        numberId: from,
        to: number,
        message: text.trim(),
        clientKey: newClientKey(),
        ...(files.length && { media: files }),
      }),
    });
  };
  const attach = (added: readonly File[]): void => {
    const ours = numbers.find((n) => n.id === from);
    const chosen = selectFiles(files, added, ours?.number ?? '');
    setFiles(chosen.files);
    setProblem(chosen.problem ? { files: chosen.problem } : {});
  };
  const changeTo = (next: string): void => {
    setTo(next);
    setProblem({});
  };
  return {
    ...{ numbers, from, setFrom, to, setTo: changeTo, text, setText, textProblem },
    ...{ files, setFiles, attach, problem, canSend, isPending, send },
  };
}

function TextAndFiles({ message }: { message: ReturnType<typeof useFirstMessage> }) {
  const { text, setText, textProblem, files, setFiles, attach, problem } = message;
  return (
    <div>
      {files.length > 0 && (
        <MediaTray files={files} onRemove={(gone) => setFiles(files.filter((f) => f !== gone))} />
      )}
      <Textarea
        label={t('Message')}
        minRows={3}
        maxRows={10}
        value={text}
        error={textProblem ?? problem.files}
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
              attach([...(e.currentTarget.files ?? [])]);
              e.currentTarget.value = '';
            }}
          />
        </label>
        <SegmentCounter text={text} media={files.length > 0} onPlain={setText} />
      </div>
    </div>
  );
}
