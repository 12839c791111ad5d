import { useEffect, useRef, useState } from 'react';
import { conversations } from '#contract';
import { sentences } from '#contract/sentences';
import { t, toast, useApiMutation, useCompanyId, usePermission, useShortcuts } from '#ui';
import type { Conversation } from '../cache-updates.ts';
import { mentionedIds } from '../canned-replies/canned-replies.ts';
import { useColleagueReply } from '../team/use-colleague-reply.ts';
import { usePresence } from '../team/use-presence.ts';
import { useSuggestions } from '../team/use-suggestions.tsx';
import { useTeammates } from '../team/use-teammates.ts';
import { draftKey, useDraft } from './drafts.ts';
import { tooLong } from './segments.ts';
import { sender } from './sending.ts';

type ComposerMode = 'message' | 'note';
export type ComposerState = ReturnType<typeof useComposer>;

const maxNoteLength = 5000;

/** The text and files of a conversation's message or note, and the actions on them. */
export function useComposer(conversation: Conversation) {
  const { id, number } = conversation;
  const canSend = usePermission('inbox.send');
  const canNote = usePermission('notes.edit');
  const [mode, setMode] = useState<ComposerMode>(canSend ? 'message' : 'note');
  const isNote = mode === 'note';
  const draft = useDraft(draftKey(id, mode));
  const { text, files, setText, setFiles } = draft;
  const field = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState(0);
  const presence = usePresence(id);
  const colleague = useColleagueReply(id, !isNote && text.trim() !== '');
  const teammates = useTeammates(number.id, isNote && text.includes('@'));
  const suggestions = useSuggestions(conversation, { text, isNote, caret, field, setText });
  const { submit, isSaving } = useSubmit(conversation, mode, teammates);

  const isLocked = !isNote && conversation.whyNotText !== null;
  const tooLongText = isNote ? noteProblem(text) : tooLong(text, files.length > 0);
  const problem = tooLongText === null ? null : t(tooLongText);
  const isEmpty = text.trim() === '' && (isNote || files.length === 0);
  const canSubmit = !isEmpty && problem === null && !isLocked;

  const send = async (): Promise<void> => {
    if (!canSubmit) return;
    presence.stopped();
    colleague.seen();
    setText('');
    setFiles([]);
    field.current?.focus();
    if (!(await submit(text.trim(), files))) setText(text.trim());
  };
  const attach = async (added: readonly File[]): Promise<void> => {
    if (added.length === 0) return;
    const module = await import('#ui/messaging/select-files.ts').catch(() => null);
    if (module === null) return void toast.warn(sentences.unreachable);
    const chosen = module.selectFiles(files, added, number.number);
    setFiles(chosen.files);
    if (chosen.problem) toast.danger(chosen.problem);
    field.current?.focus();
  };
  const insert = (piece: string): void => insertAtCaret(field.current, text, piece, setText);
  const write = (as: ComposerMode): void => {
    setMode(as);
    requestAnimationFrame(() => field.current?.focus());
  };
  useComposerShortcuts(write, canSend, canNote);
  return {
    ...{ canSend, canNote, isNote, isLocked, isEmpty, canSubmit, isSaving, problem },
    ...{ text, files, setText, setFiles, setCaret },
    ...{ field, presence, colleague, suggestions },
    ...{ send, attach, insert, write },
  };
}

/** Replaces the selection of the field by a piece of text, and puts the caret behind it. */
function insertAtCaret(
  field: HTMLTextAreaElement | null,
  text: string,
  piece: string,
  setText: (text: string) => void,
): void {
  const from = field?.selectionStart ?? text.length;
  const to = field?.selectionEnd ?? text.length;
  setText(text.slice(0, from) + piece + text.slice(to));
  requestAnimationFrame(() => {
    field?.focus();
    field?.setSelectionRange(from + piece.length, from + piece.length);
  });
}

/** The error of A §5 for a text that is too long; null while it fits. */
const noteProblem = (text: string): string | null =>
  text.length > maxNoteLength ? 'A note can have up to 5,000 characters.' : null;

/**
 * Sends the message or adds the note. False when the note wasn't added and its text should be
 * restored. A message that fails returns to its draft or stays in the thread as not sent, whatever
 * this returns.
 */
function useSubmit(
  conversation: Conversation,
  mode: ComposerMode,
  teammates: ReturnType<typeof useTeammates>,
) {
  const companyId = useCompanyId();
  const { id } = conversation;
  const { mutate: addNote, isPending } = useApiMutation(conversations.addNote, {
    invalidates: [conversations.listNotes, conversations.listConversationItems],
  });
  const submit = async (text: string, files: File[]): Promise<boolean> => {
    if (mode === 'message') {
      void sender.send(id, text, files, { companyId, place: draftKey(id, mode) });
      return true;
    }
    const mentions = mentionedIds(text, teammates);
    const body = { model_type: 'conversation' as const, model_id: id, body: text, mentions };
    return (await addNote({ body })) !== null;
  };
  return { submit, isSaving: isPending };
}

function useComposerShortcuts(
  write: (as: ComposerMode) => void,
  canSend: boolean,
  canNote: boolean,
): void {
  const group = t('Conversation');
  const reply = { keys: 'r', label: t('Reply'), group, run: () => write('message') };
  const note = { keys: 'i', label: t('Add note'), group, run: () => write('note') };
  useShortcuts([...(canSend ? [reply] : []), ...(canNote ? [note] : [])]);
}

/** Attaches files dropped on the thread, once. */
export function useDroppedFiles(
  { attach, isNote, isLocked }: ComposerState,
  dropped: readonly File[],
  onTaken: () => void,
): void {
  useEffect(() => {
    if (dropped.length === 0) return;
    if (!isLocked && !isNote) void attach(dropped);
    onTaken();
  }, [dropped]); // eslint-disable-line -- runs once per drop, whatever else changes
}
