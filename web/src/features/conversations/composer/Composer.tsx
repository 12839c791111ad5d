import { useEffect, useRef, useState } from 'react';
import { ActionIcon, Button, Menu, Textarea, Tooltip } from '@mantine/core';
import {
  IconCheck,
  IconChevronUp,
  IconClockHour4,
  IconNote,
  IconPaperclip,
  IconSend,
} from '@tabler/icons-react';
import { conversations } from '#contract';
import { sentences } from '#contract/sentences';
import {
  toast,
  lazyComponent,
  formatKeys,
  t,
  useCompanyId,
  usePermission,
  useShortcuts,
  useApiMutation,
} from '#ui';
import { draftKey, useDraft } from './drafts.ts';
import { EmojiPicker } from './EmojiPicker.tsx';
import type { Conversation } from '../cache-updates.ts';
import { acceptedFiles } from './media.ts';
import { MediaTray } from './MediaTray.tsx';
import { SegmentCounter } from './SegmentCounter.tsx';
import { tooLong } from './segments.ts';
import { sender } from './sending.ts';
import { isSendKey, setSendKey, useSendKey } from './send-key.ts';
import { mentionedIds } from '../team/canned-replies.ts';
import { PresenceBar } from '../team/PresenceBar.tsx';
import { usePresence } from '../team/use-presence.ts';
import { useSuggestions } from '../team/use-suggestions.tsx';
import { useTeammates } from '../team/use-teammates.ts';
import { useColleagueReply } from '../team/use-colleague-reply.ts';
import { useOurNumbers } from '../use-our-numbers.ts';
import css from './Composer.module.css';

const LockedComposer = lazyComponent(
  async () => (await import('../../compliance/LockedComposer.tsx')).LockedComposer,
);
const SendFax = lazyComponent(async () => (await import('../fax/SendFax.tsx')).SendFax);
const ScheduleDialog = lazyComponent(
  async () => (await import('../scheduling/ScheduleDialog.tsx')).ScheduleDialog,
);

interface ComposerProps {
  conversation: Conversation;
  /** Files dropped on the thread, taken once. */ dropped: File[];
  onTaken: () => void;
}

/** Where one writes: a message or a note. It grows with the text, up to a third of the screen. */
export function Composer({ conversation, dropped, onTaken }: ComposerProps) {
  const { id, number } = conversation;
  const maySend = usePermission('inbox.send'),
    mayNote = usePermission('notes.edit');
  const companyId = useCompanyId();
  const [mode, setMode] = useState<'message' | 'note'>(maySend ? 'message' : 'note');
  const place = draftKey(id, mode);
  const { text, files, setText, setFiles } = useDraft(place);
  const [later, setLater] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const way = useSendKey();
  const { mutate: addNote, isPending: noting } = useApiMutation(conversations.addNote, {
    invalidates: [conversations.listNotes, conversations.listConversationItems],
  });
  const isNote = mode === 'note';
  const [faxing, setFaxing] = useState(false);
  const isFaxLine =
    useOurNumbers().some((n) => n.id === number.id && n.canFax) &&
    maySend &&
    conversation.whyNotText === 'no_sms';
  const locked = !isNote && conversation.whyNotText !== null;
  const wrong = isNote
    ? text.length > 5000
      ? 'A note can have up to 5,000 characters.'
      : null
    : tooLong(text, files.length > 0);
  const isEmpty = text.trim() === '' && (isNote || files.length === 0);
  const [caret, setCaret] = useState(0);
  const teammates = useTeammates(number.id, isNote && text.includes('@'));
  const { others, wrote, stopped } = usePresence(id);
  const isWriting = !isNote && text.trim() !== '';
  const { answered, seen } = useColleagueReply(id, isWriting);
  const suggestions = useSuggestions(conversation, { text, isNote, caret, field, setText });

  const attach = async (more: readonly File[]): Promise<void> => {
    if (more.length === 0) return;
    const part = await import('./select-files.ts').catch(() => null);
    if (part === null) return void toast.warn(sentences.unreachable);
    const chosen = part.selectFiles(files, more, number.number);
    setFiles(chosen.files);
    if (chosen.problem) toast.danger(chosen.problem);
    field.current?.focus();
  };
  useEffect(() => {
    if (dropped.length > 0) {
      if (!locked && !isNote) void attach(dropped);
      onTaken();
    }
  }, [dropped]); // eslint-disable-line -- taken once

  const send = async (): Promise<void> => {
    if (isEmpty || wrong || locked) return;
    const said = { text: text.trim(), files };
    stopped();
    seen();
    setText('');
    setFiles([]);
    field.current?.focus();
    if (!isNote) return void sender.send(id, said.text, said.files, { companyId, place });
    if (
      !(await addNote({
        body: {
          model_type: 'conversation',
          model_id: id,
          body: said.text,
          mentions: mentionedIds(said.text, teammates),
        },
      }))
    )
      setText(said.text);
  };
  const insert = (piece: string): void => {
    const el = field.current;
    const from = el?.selectionStart ?? text.length,
      to = el?.selectionEnd ?? text.length;
    setText(text.slice(0, from) + piece + text.slice(to));
    requestAnimationFrame(() => {
      el?.focus();
      el?.setSelectionRange(from + piece.length, from + piece.length);
    });
  };
  const write = (as: 'message' | 'note'): void => {
    setMode(as);
    requestAnimationFrame(() => field.current?.focus());
  };
  useShortcuts([
    ...(maySend
      ? [{ keys: 'r', label: t('Reply'), group: t('Conversation'), run: () => write('message') }]
      : []),
    ...(mayNote
      ? [
          {
            keys: 'i',
            label: t('Add note'),
            group: t('Conversation'),
            run: () => write('note'),
          },
        ]
      : []),
  ]);

  if (!maySend && !mayNote) return null;
  return (
    <div className={css.place}>
      <PresenceBar others={others} isWriting={isWriting} answered={answered} onSeen={seen} />
      {locked ? (
        <LockedComposer
          reason={conversation.whyNotText!}
          recipient={conversation.recipient}
          ourNumber={number.number}
          {...(mayNote && { onNote: () => write('note') })}
          {...(isFaxLine && { onFax: () => setFaxing(true) })}
        />
      ) : (
        <form
          className={css.box}
          data-note={isNote || undefined}
          aria-label={isNote ? t('New note') : t('New message')}
          onSubmit={(e) => {
            e.preventDefault();
            void send();
          }}
        >
          {files.length > 0 && !isNote && (
            <MediaTray
              files={files}
              onRemove={(gone) => setFiles(files.filter((f) => f !== gone))}
            />
          )}
          {suggestions.popup}
          <Textarea
            ref={field}
            {...suggestions.aria}
            variant="unstyled"
            autosize
            minRows={1}
            maxRows={9}
            className={css.text}
            aria-label={isNote ? t('Note') : t('Message')}
            aria-describedby="composer-count"
            aria-invalid={wrong ? true : undefined}
            placeholder={
              isNote
                ? t('Note for your team. {party} won’t see it. @ to mention a teammate', {
                    party: conversation.contact?.name || t('The other person'),
                  })
                : t('Write a message, or type / for a canned reply')
            }
            value={text}
            enterKeyHint={way === 'enter' ? 'send' : 'enter'}
            onChange={(e) => {
              setText(e.currentTarget.value);
              setCaret(e.currentTarget.selectionStart);
              if (!isNote) wrote();
            }}
            onSelect={(e) => setCaret(e.currentTarget.selectionStart)}
            onPaste={(e) => {
              const pasted = [...e.clipboardData.files];
              if (pasted.length > 0 && !isNote) {
                e.preventDefault();
                void attach(pasted);
              }
            }}
            onKeyDown={(e) => {
              if (suggestions.heardKey(e)) return;
              if (
                isSendKey(
                  {
                    key: e.key,
                    shiftKey: e.shiftKey,
                    metaKey: e.metaKey,
                    ctrlKey: e.ctrlKey,
                    isComposing: e.nativeEvent.isComposing,
                  },
                  way,
                )
              ) {
                e.preventDefault();
                void send();
              }
              if (e.key === 'Escape') {
                e.stopPropagation();
                e.currentTarget.blur();
              }
            }}
          />
          <div className={css.bar}>
            {!isNote && (
              <Tooltip label={t('Attach files')}>
                <ActionIcon aria-label={t('Attach files')} onClick={() => picker.current?.click()}>
                  <IconPaperclip size={18} stroke={1.75} />
                </ActionIcon>
              </Tooltip>
            )}
            <input
              ref={picker}
              type="file"
              multiple
              hidden
              accept={acceptedFiles}
              aria-label={t('Files to attach')}
              onChange={(e) => {
                void attach([...(e.currentTarget.files ?? [])]);
                e.currentTarget.value = '';
              }}
            />
            <EmojiPicker onPick={insert} />
            {maySend && mayNote && (
              <Tooltip label={isNote ? t('Back to the message') : t('Add note')}>
                <ActionIcon
                  aria-label={t('Note')}
                  aria-pressed={isNote}
                  variant={isNote ? 'light' : 'subtle'}
                  color={isNote ? 'yellow' : 'gray'}
                  onClick={() => write(isNote ? 'message' : 'note')}
                >
                  <IconNote size={18} stroke={1.75} />
                </ActionIcon>
              </Tooltip>
            )}
            <span id="composer-count" className={css.count}>
              {wrong ? (
                <span className={css.wrong} role="alert">
                  {t(wrong)} ({text.length})
                </span>
              ) : (
                !isNote && <SegmentCounter text={text} media={files.length > 0} onPlain={setText} />
              )}
            </span>
            <Button.Group className={css.send}>
              <Button
                type="submit"
                color={isNote ? 'yellow.7' : 'accent'}
                disabled={isEmpty || Boolean(wrong)}
                loading={noting}
                leftSection={isNote ? null : <IconSend size={16} aria-hidden />}
              >
                {isNote ? t('Add note') : t('Send')}
              </Button>
              {!isNote && (
                <Menu position="top-end" closeOnItemClick>
                  <Menu.Target>
                    <Button
                      px={7}
                      variant={isEmpty ? 'default' : 'filled'}
                      aria-label={t('More ways to send')}
                    >
                      <IconChevronUp size={16} aria-hidden />
                    </Button>
                  </Menu.Target>
                  <Menu.Dropdown>
                    <Menu.Item
                      leftSection={<IconClockHour4 size={16} aria-hidden />}
                      disabled={isEmpty || Boolean(wrong)}
                      onClick={() => setLater(true)}
                    >
                      {t('Send later')}
                    </Menu.Item>
                    <Menu.Divider />
                    <Menu.Label>{t('Send with')}</Menu.Label>
                    <Menu.Item
                      rightSection={
                        way === 'enter' ? <IconCheck size={16} aria-label={t('Selected')} /> : null
                      }
                      onClick={() => setSendKey('enter')}
                    >
                      {t('Enter')}
                    </Menu.Item>
                    <Menu.Item
                      rightSection={
                        way === 'mod' ? <IconCheck size={16} aria-label={t('Selected')} /> : null
                      }
                      onClick={() => setSendKey('mod')}
                    >
                      {formatKeys('mod+Enter').join(' ')}
                    </Menu.Item>
                  </Menu.Dropdown>
                </Menu>
              )}
            </Button.Group>
          </div>
        </form>
      )}
      {faxing && (
        <SendFax
          to={{
            number: conversation.recipient,
            name: conversation.contact?.name || null,
            ours: number.id,
          }}
          onClose={() => setFaxing(false)}
        />
      )}
      {later && (
        <ScheduleDialog
          conversation={conversation}
          text={text.trim()}
          files={files}
          onClose={() => setLater(false)}
          onDone={() => {
            setText('');
            setFiles([]);
            setLater(false);
          }}
        />
      )}
    </div>
  );
}
